import { describe, expect, test } from 'vitest';
import { channelArgv, controlArgv, masterArgv } from '#collectors/target/ssh/ssh-argv.ts';

const client = { program: 'ssh', configFile: null };
const destination = { user: 'ada', host: 'web1', port: 2222 };
const OPTIONS = [
  'RemoteCommand=none',
  'PermitLocalCommand=no',
  'ForwardAgent=no',
  'ForwardX11=no',
  'StrictHostKeyChecking=ask',
];

const calls = {
  master: masterArgv(client, destination, '/run/x/m'),
  channel: channelArgv(client, destination, '/run/x/m', 'COMMAND'),
  'channel with a terminal': channelArgv(client, destination, '/run/x/m', 'COMMAND', 'own'),
  check: controlArgv(client, destination, '/run/x/m', 'check'),
  forward: controlArgv(client, destination, '/run/x/m', 'forward', '/run/x/p1:127.0.0.1:80'),
};

describe('calls of ssh', () => {
  test.each(Object.entries(calls))('%s sets the required options and ends with the host', (name, argv) => {
    const set = argv.filter((_, at) => argv[at - 1] === '-o');
    expect(set).toEqual(expect.arrayContaining(OPTIONS));
    expect(set.some((option) => option.startsWith('RequestTTY='))).toBe(true);
    expect(set.includes('ClearAllForwardings=yes')).toBe(name !== 'forward');
    const end = ['-l', 'ada', '-p', '2222', '--', 'web1', ...(name.startsWith('channel') ? ['COMMAND'] : [])];
    expect(argv.slice(-end.length)).toEqual(end);
  });

  test.each(Object.entries(calls).filter(([name]) => name !== 'master'))(
    '%s reads no configuration and never connects on its own',
    (_, argv) => {
      expect(argv).toEqual(
        expect.arrayContaining(['-F', 'none', 'ProxyCommand=false', 'BatchMode=yes', 'ControlMaster=no']),
      );
    },
  );

  test('passes the caller’s configuration only to the master', () => {
    const own = { program: 'ssh', configFile: '/etc/own config' };
    expect(masterArgv(own, destination, '/run/x/m').slice(0, 3)).toEqual(['ssh', '-F', '/etc/own config']);
    expect(channelArgv(own, destination, '/run/x/m', 'C')).not.toContain('/etc/own config');
  });

  test.each([
    { ...destination, host: '-oProxyCommand=id' },
    { ...destination, user: '-x' },
    { ...destination, user: '$(id)' },
    { ...destination, port: 70_000 },
  ])('refuses %j', (odd) => {
    expect(() => masterArgv(client, odd, '/run/x/m')).toThrow(/(?:host|user) name|port/);
  });
});
