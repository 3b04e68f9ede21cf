import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ConnectionFailure } from '#collectors/target/connection.ts';
import { createSshTarget } from '#collectors/target/ssh/ssh-target.ts';
import { needing } from '../../support/needing.ts';
import { PASSWORD, sshHosts } from '../../support/sshd.ts';
import { ownHosts, printedBy, until, untilState } from './ssh-hosts.ts';

const hosts = ownHosts();

async function failure(attempt: Promise<unknown>): Promise<ConnectionFailure> {
  const error: unknown = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectionFailure);
  expect((error as Error).message).not.toContain('\n');
  return error as ConnectionFailure;
}

needing(sshHosts, () => {
  describe.concurrent('logins over ssh', () => {
    test('prompts for a password, accepts it only then, and does not keep it', async () => {
      const target = hosts.target(await hosts.host({ auth: 'password' }));
      const { connection } = target;
      let shown = '';
      connection.terminal.onOutput((text) => (shown += text));
      expect(connection.terminal.write(`${PASSWORD}\r`)).toBe(false);
      const connected = connection.connect();
      await untilState(target, 'needs-you');
      expect(connection.state.message).toMatch(/^fb-test@.*'s password:$/);
      expect(connection.terminal.write('wrong\r')).toBe(true);
      await until(() => shown.includes('try again'));
      await untilState(target, 'needs-you');
      connection.terminal.write(`${PASSWORD}\r`);
      await connected;
      expect(connection.state.kind).toBe('up');
      expect(connection.terminal.write(`${PASSWORD}\r`)).toBe(false);
      expect(shown).not.toContain(PASSWORD);
      expect(await printedBy(target, 'id', '-un')).toBe('fb-test\n');
      await connection.close();
      expect(connection.state).toEqual({ kind: 'idle', message: null, remedy: null });
    });

    test('shows the host’s own keyboard-interactive prompts', async () => {
      const target = hosts.target(await hosts.host({ auth: 'keyboard-interactive' }));
      const connected = target.connection.connect();
      await untilState(target, 'needs-you');
      expect(target.connection.state.message).toMatch(/Password:$/);
      target.connection.terminal.write(`${PASSWORD}\r`);
      await connected;
      expect(await printedBy(target, 'echo', 'in')).toBe('in\n');
    });

    test('connects through a second server (ProxyJump), each with its own password', async () => {
      const via = await hosts.host({ auth: 'password' });
      const target = hosts.target(await hosts.host({ auth: 'password', via }));
      const asked: string[] = [];
      target.connection.onState(({ kind, message }) => {
        if (kind !== 'needs-you') return;
        asked.push(message ?? '');
        target.connection.terminal.write(`${PASSWORD}\r`);
      });
      expect(await printedBy(target, 'echo', 'there')).toBe('there\n');
      expect(asked).toHaveLength(2);
      expect(asked[0]).toContain(via.address);
      expect(asked[1]).not.toContain(via.address);
    });

    test('refuses a jump host whose key the configuration would accept silently', async () => {
      const via = await hosts.host({ clientConfig: ['StrictHostKeyChecking accept-new'], known: false });
      const target = hosts.target(await hosts.host({ via }));
      const { message, remedy } = await failure(target.connection.connect());
      expect(message).toBe(`ssh would accept any host key from the jump host ${via.alias}`);
      expect(remedy).toBe(`Set StrictHostKeyChecking ask for ${via.alias} in ~/.ssh/config`);
      expect(await readFile(via.knownHostsFile, 'utf8')).toBe('');
    });

    test('reports a key that the host does not know', async () => {
      const host = await hosts.host();
      const stranger = await hosts.host();
      await writeFile(host.clientConfigFile, host.clientConfigText.replace(host.keyFile, stranger.keyFile));
      const target = hosts.target(host);
      const { message, remedy } = await failure(target.connection.connect());
      expect(message).toMatch(/refused the login \(it accepts: publickey\)/);
      expect(remedy).toMatch(/ssh-add -l/);
      // The connection does not try again by itself, because servers lock accounts.
      await expect(target.run(['true'])).rejects.toThrow(message);
      expect(target.connection.state).toMatchObject({ kind: 'failed', message, remedy });
    });

    test('shows an unknown host key, and keeps it only when accepted', async () => {
      const host = await hosts.host({ known: false });
      const target = hosts.target(host);
      let shown = '';
      target.connection.terminal.onOutput((text) => (shown += text));
      const refused = failure(target.connection.connect());
      await untilState(target, 'needs-you');
      expect(target.connection.state.message).toMatch(/^Are you sure you want to continue connecting/);
      expect(shown).toMatch(/key fingerprint is SHA256:/);
      target.connection.terminal.write('no\r');
      expect((await refused).message).toMatch(/was not accepted/);
      expect(await readFile(host.knownHostsFile, 'utf8')).toBe('');

      const connected = target.connection.connect();
      await untilState(target, 'needs-you');
      target.connection.terminal.write('yes\r');
      await connected;
      expect(await readFile(host.knownHostsFile, 'utf8')).toContain('ssh-ed25519');
    });

    test('refuses a changed host key without a prompt, whatever the configuration says', async () => {
      const host = await hosts.host({ clientConfig: ['StrictHostKeyChecking no'] });
      const target = hosts.target(host);
      await target.connection.connect();
      await target.connection.close();
      await host.changeHostKey();
      host.killServer();
      await host.startServer();
      const states: string[] = [];
      target.connection.onState(({ kind }) => states.push(kind));
      const { message, remedy } = await failure(target.connection.connect());
      expect(message).toMatch(/differs from known_hosts/);
      expect(remedy).toMatch(/ssh-keygen -R/);
      expect(states).toEqual(['connecting', 'failed']);
    });

    test('ignores a configuration that would accept, run, forward and share something else', async () => {
      const marks = await hosts.host();
      const host = await hosts.host({
        known: false,
        clientConfig: [
          'StrictHostKeyChecking no',
          'RemoteCommand echo hijacked',
          'RequestTTY force',
          'ControlMaster auto',
          'ControlPath /tmp/fb-own-%C',
          'ControlPersist yes',
          'PermitLocalCommand yes',
          'LocalCommand echo local command ran',
          'ForwardAgent yes',
          'ForwardX11 yes',
          'SessionType none',
          'SendEnv LC_*',
          `LocalForward ${marks.address}:47011 127.0.0.1:1`,
        ],
      });
      const target = hosts.target(host);
      let shown = '';
      target.connection.terminal.onOutput((text) => (shown += text));
      const connected = target.connection.connect();
      await untilState(target, 'needs-you');
      expect(target.connection.state.message).toMatch(/^Are you sure/);
      target.connection.terminal.write('yes\r');
      await connected;
      expect(await printedBy(target, 'sh', '-c', 'tty; echo "${SSH_AUTH_SOCK-no agent}"')).toBe(
        'not a tty\nno agent\n',
      );
      expect(shown).not.toMatch(/hijacked|local command ran/);
      expect(shown).not.toMatch(/47011/);
      const log = await host.log();
      expect(log).not.toMatch(/x11|agent-req/i);
    });

    test('names a configuration that sends ssh to the background', async () => {
      const target = hosts.target(await hosts.host({ clientConfig: ['ForkAfterAuthentication yes'] }));
      expect((await failure(target.connection.connect())).remedy).toMatch(/^Set ForkAfterAuthentication no /);
    });

    test('reports that the control socket can’t be created', async () => {
      const target = hosts.target(await hosts.host(), { directory: `/tmp/${'long'.repeat(25)}` });
      const { message, remedy } = await failure(target.connection.connect());
      expect(message).toMatch(/could not make the control socket/);
      expect(remedy).toMatch(/TMPDIR/);
    });

    test.each(['--', '-oProxyCommand=id', 'a b', 'a\nb', 'a;id', ''])('refuses the host name %j', (name) => {
      expect(() => createSshTarget({ user: null, host: name, port: null })).toThrow(/host name|not a target/);
    });

    test('reports a missing server, name, ssh and configuration', async () => {
      const destination = { user: null, host: '127.0.0.1', port: 1 };
      const connectTo = (host: string, options = {}): Promise<ConnectionFailure> =>
        failure(
          createSshTarget({ ...destination, host }, { configFile: '/dev/null', ...options }).connection.connect(),
        );
      expect((await connectTo('127.0.0.1')).message).toMatch(/^no SSH server is listening on 127.0.0.1:1$/);
      expect((await connectTo('no-such-host.invalid')).message).toMatch(
        /^can’t resolve the name no-such-host.invalid:1$/,
      );
      expect((await connectTo('127.0.0.1', { sshProgram: 'no-such-ssh' })).message).toMatch(/not installed/);
      expect((await connectTo('127.0.0.1', { configFile: '/nonexistent' })).message).toMatch(/configuration/);
    });
  });
});
