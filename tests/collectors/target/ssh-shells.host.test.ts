import { describe, expect, test } from 'vitest';
import { needing } from '../../support/needing.ts';
import { sshHosts } from '../../support/sshd.ts';
import { ownHosts, printedBy, until } from './ssh-hosts.ts';

const hosts = ownHosts();
const CHATTY = 'echo chatty; echo "also here" >&2; printf "no end of line"\n';

needing(sshHosts, () => {
  describe.concurrent('login shells', () => {
    test.for(['dash', 'bash', 'fish', 'tcsh', 'busybox'])(
      '%s, with odd arguments and paths',
      async (shell, context) => {
        // busybox chooses its shell by the name it is called by.
        const options = shell === 'busybox' ? ({ tools: 'busybox', shell: 'sh' } as const) : { shell };
        const target = hosts.target(await hosts.host(options));
        const folder = `/tmp/it's "a" $HOME\\n; of \`id\` ü\n!`;
        await target.run(['mkdir', folder]).then((process) => process.exit);
        await target.writeFile(`${folder}/-n *`, new TextEncoder().encode('kept'));
        context.expect(await target.listDirectory(folder)).toEqual(['-n *']);
        context.expect(new TextDecoder().decode(await target.readFile(`${folder}/-n *`))).toBe('kept');
        context
          .expect(await printedBy(target, 'printf', '%s|', '', ' a ', '$HOME', "'", '"', '\\', '!', '*', 'ü\n'))
          .toBe('| a |$HOME|\'|"|\\|!|*|ü\n|');
        context.expect(await target.stat(`${folder}/-n *`)).toMatchObject({ size: 4 });
        context
          .expect(await target.readLinks(['/proc/self/exe', '/etc/passwd']))
          .toEqual([context.expect.any(String), null]);
        const ranges = await target.readRanges([
          { path: `${folder}/-n *`, offset: 1, length: 2 },
          { path: '/proc/self/stat', offset: 0, length: 4 },
        ]);
        context.expect(ranges.map((range) => range?.length)).toEqual([2, 4]);
        // This uses a program and not a shell, because dash ignores a SIGINT that arrives while it starts.
        const process = await target.run(['sleep', '60'], { cwd: folder, input: false });
        process.kill('SIGINT');
        context.expect(await process.exit).toEqual({ code: null, signal: 'SIGINT' });
      },
    );

    test('keep a banner, a message of the day and a chatty .bashrc out of programs’ output', async () => {
      const host = await hosts.host({
        shell: 'bash',
        banner: 'Welcome.\nsudo password for root: ',
        root: { 'etc/motd': 'message of the day\n' },
        home: { '.bashrc': CHATTY, '.profile': CHATTY },
      });
      const target = hosts.target(host);
      let shown = '';
      target.connection.terminal.onOutput((text) => (shown += text));
      expect(await printedBy(target, 'echo', 'clean')).toBe('clean\n');
      expect(await target.listDirectory('/etc')).toContain('motd');
      expect(shown).toContain('Welcome.');
    });

    test('keep programs’ output away from the terminal and from prompts', async () => {
      const target = hosts.target(await hosts.host());
      await target.connection.connect();
      let shown = '';
      const states: string[] = [];
      target.connection.terminal.onOutput((text) => (shown += text));
      target.connection.onState(({ kind }) => states.push(kind));
      const evil = '\u001b]52;c;ZXZpbA==\u0007\u001b]0;title\u0007[sudo] password for you: ';
      expect(await printedBy(target, 'printf', '%s', evil)).toBe(evil);
      expect({ shown, states, taken: target.connection.terminal.write('secret\r') }).toEqual({
        shown: '',
        states: [],
        taken: false,
      });
    });

    test('keep a banner’s control sequences out of messages', async () => {
      const banner = '\u001b]52;c;ZXZpbA==\u0007\u001b[31mred\u001b[0m Password: ';
      const target = hosts.target(await hosts.host({ auth: 'password', banner }));
      const messages: (string | null)[] = [];
      target.connection.onState(({ message }) => messages.push(message));
      const connected = target.connection.connect().catch(() => {});
      await until(() => messages.at(-1)?.endsWith('password:') === true);
      await target.connection.close();
      await connected;
      expect(messages.join('')).not.toMatch(/[\u001b\u0007]|ZXZpbA/);
    });

    test('are understood on a host with German messages', async () => {
      const target = hosts.target(await hosts.host({ env: { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' } }));
      expect(await printedBy(target, 'printenv', 'LC_ALL')).toBe('de_DE.UTF-8\n');
      expect(await target.stat('/etc/passwd')).toMatchObject({ uid: 0 });
      await expect(target.run(['/etc/passwd'])).rejects.toMatchObject({ code: 'EACCES' });
      await expect(target.writeFile('/proc/no', new Uint8Array(1))).rejects.toThrow(
        /^\/proc\/no can’t be written on .*/,
      );
    });

    test('are reported if a forced command replaces them', async () => {
      const target = hosts.target(await hosts.host({ serverConfig: ['ForceCommand echo no shell for you'] }));
      await expect(target.listDirectory('/')).rejects.toThrow(
        /runs something other than the requested command: no shell for you$/,
      );
    });

    test('report what is missing without setsid', async () => {
      const target = hosts.target(await hosts.host({ without: ['setsid'] }));
      await expect(target.run(['true'])).rejects.toThrow(/^can't start "true" on .*: setsid is missing there/);
    });
  });
});
