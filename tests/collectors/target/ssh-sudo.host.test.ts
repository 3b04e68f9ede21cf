import { describe, expect, test } from 'vitest';
import { findBinaries } from '#collectors/mapped-binaries.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import type { Target } from '#collectors/target/target.ts';
import { needing } from '../../support/needing.ts';
import { PASSWORD, sshHosts } from '../../support/sshd.ts';
import { ownHosts, until } from './ssh-hosts.ts';

const asRoot = (target: SshTarget): Target => ({ ...target, run: (argv, options) => target.root!.run(argv, options) });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

needing(sshHosts, () => {
  const hosts = ownHosts();

  describe('root by sudo', () => {
    test('prompts for a password in the terminal, is binary-clean, and leaves nothing', async () => {
      const host = await hosts.host({ sudo: 'with password' });
      const target = hosts.target(host);
      await target.connection.connect();
      const before = (await runToEnd(target, ['ls', '/tmp'])).stdout;
      const asked: string[] = [];
      target.connection.onState(({ kind, message }) => {
        if (kind !== 'needs-you') return;
        asked.push(message ?? '');
        target.connection.terminal.write(`${PASSWORD}\r`);
      });
      const { stdout, stderr, exit } = await runToEnd(asRoot(target), ['sh', '-c', 'id -u; echo err >&2; exit 3']);
      expect(text(stdout)).toBe('0\n');
      expect(stderr).toBe('err\n');
      expect(exit).toEqual({ code: 3, signal: null });
      expect(asked).toEqual([expect.stringMatching(/password for fb-test/)]);
      expect(text((await runToEnd(target, ['ls', '/tmp'])).stdout)).toBe(text(before));
    });

    test('works without a password, with input, and ends children with it', async () => {
      const host = await hosts.host({ sudo: 'without password' });
      const target = hosts.target(host);
      const process = await target.root!.run(['cat']);
      const block = new Uint8Array(100_000).map((_, index) => (index * 31) & 0xff);
      const writing = process.write(block).then(() => process.endInput());
      const got: Uint8Array[] = [];
      for await (const chunk of process.stdout) got.push(chunk);
      await writing;
      expect(Buffer.concat(got).equals(block)).toBe(true);
      expect(await process.exit).toEqual({ code: 0, signal: null });

      const sleeper = await target.root!.run(['sh', '-c', 'sleep 4711 & echo started; wait']);
      for await (const chunk of sleeper.stdout) {
        expect(text(chunk)).toBe('started\n');
        sleeper.kill('SIGTERM');
      }
      expect(await sleeper.exit).toEqual({ code: null, signal: 'SIGTERM' });
      const left = await runToEnd(target, ['pgrep', '-f', 'sleep 4711']);
      expect(text(left.stdout)).toBe('');
    });

    test('reads which files root’s process has mapped, without a prompt', async () => {
      const target = hosts.target(await hosts.host({ sudo: 'without password' }));
      const pid = Number(text((await runToEnd(target, ['pgrep', '-ou', 'root', 'sshd'])).stdout));
      const server = (await findProcess(target, pid))!;
      expect(await findBinaries(target, server)).toMatchObject({
        paths: [],
        check: { found: expect.stringContaining('its functions have no names') as string },
      });
      const { paths, check } = await findBinaries(target, server, true);
      expect(paths).toContainEqual(expect.stringMatching(/\/sshd/));
      expect(check).toBeNull();
    });

    test('says in one line why it was refused', async () => {
      const target = hosts.target(await hosts.host());
      target.connection.onState(({ kind }) => {
        if (kind === 'needs-you') target.connection.terminal.write(`${PASSWORD}\r`);
      });
      await expect(target.root!.run(['id'])).rejects.toThrow(
        /^sudo on .* refused to run the command: .*fb-test.*sudoers/,
      );
    });

    test('can be cancelled while it prompts', async () => {
      const target = hosts.target(await hosts.host({ sudo: 'with password' }));
      const abort = new AbortController();
      const starting = target.root!.run(['id'], { signal: abort.signal });
      starting.catch(() => {});
      await until(() => target.connection.state.kind === 'needs-you');
      abort.abort();
      await expect(starting).rejects.toThrow(/^sudo on .* asked and got no answer: .*password for fb-test$/);
      expect(target.connection.state.kind).toBe('up');
    });
  });
});
