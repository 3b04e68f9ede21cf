import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Target } from '#collectors/target/target.ts';
import { runCliOn, startBusyOn } from '../../app/ssh/remote-recording.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, type SshHost } from '../../support/sshd.ts';
import { ownHosts } from './ssh-hosts.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Another account, which can only create files in /tmp. */
const STRANGER = ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups'];
const VICTIMS = ['/home/fb-test/victim', '/root/victim'];
/** Names that a shell's `echo` takes for those of the victims, or that lead to them. */
const NAMES = [
  ...VICTIMS.map((path) => String.raw`/tmp/perf-vdso.so-b ${path.replaceAll('/', String.raw`\0057`)}`),
  ...VICTIMS.map((path) => `/tmp/perf-vdso.so-b\n${path.replaceAll('/', String.raw`\057`)}`),
  '/tmp/perf-vdso.so-* [a-z]',
  '/tmp/perf-vdso.so-strang',
];
const LINKS = VICTIMS.map((path, at) => [path, `/tmp/perf-vdso.so-link0${at}`] as const);
const AGAIN = 'while :; do for name; do : >"$name"; done; sleep 0.1; for name; do rm -f "$name"; done; sleep 0.1; done';

const asRoot = (target: Target): Target => ({ ...target, run: (argv, options) => target.root!.run(argv, options) });
const victimsOf = (host: SshHost): Promise<string> => host.execute(['cat', ...VICTIMS]);

async function withVictims(host: SshHost): Promise<void> {
  await host.execute(['sh', '-c', 'for path; do echo "$path" >"$path"; done', 'sh', ...VICTIMS]);
  await host.execute(['chown', 'fb-test:', VICTIMS[0]!]);
}

needing(sshHosts, () => {
  const hosts = ownHosts();

  describe.each([
    ['the account', 'fb-test', (target: Target) => target],
    ['root by sudo', 'root', asRoot],
  ])('a run as %s', (_, owner, as) => {
    test('removes the copies of the vdso that perf left, and no file that another user names', async () => {
      const host = await hosts.host({ sudo: 'without password' });
      await withVictims(host);
      const own = (...names: string[]): Promise<string> =>
        host.execute(['setpriv', `--reuid=${owner}`, '--clear-groups', 'touch', ...names]);
      await own('/tmp/perf-vdso.so-before');
      await own('/tmp/perf-vdso.so-a1B2c3');
      const target = as(hosts.target(host));
      const run = await target.run(['sh', '-c', 'cat; : perf']);
      await host.execute([...STRANGER, 'touch', '--', ...NAMES]);
      for (const [to, at] of LINKS) await host.execute([...STRANGER, 'ln', '-s', to, at]);
      await own('/tmp/perf-vdso.so-Left01', '/tmp/perf-vdso.so-l\nleft', '/tmp/perf-vdso.so-toolong');
      run.endInput();
      expect(await run.exit).toEqual({ code: 0, signal: null });
      await expect.poll(() => host.files(), { timeout: 20_000 }).not.toContain('/tmp/perf-vdso.so-Left01');
      expect(await victimsOf(host)).toBe(VICTIMS.map((path) => `${path}\n`).join(''));
      const listed = await host.execute(['sh', '-c', `printf '%s\\n' /tmp/perf-vdso.so-*`]);
      const kept = [...NAMES, ...LINKS.map(([, at]) => at), '/tmp/perf-vdso.so-before', '/tmp/perf-vdso.so-a1B2c3'];
      for (const name of [...kept, '/tmp/perf-vdso.so-l\nleft', '/tmp/perf-vdso.so-toolong']) {
        expect(listed).toContain(`${name}\n`);
      }
    });
  });

  test('leaves copies of the vdso while another perf of the host runs', async () => {
    const host = await hosts.host();
    const other = await host.start(['sh', '-c', 'printf perf >/proc/$$/comm; while :; do sleep 1; done'], {
      user: true,
    });
    const target = hosts.target(host);
    const run = await target.run(['sh', '-c', 'touch /tmp/perf-vdso.so-Theirs; : perf']);
    await run.exit;
    await expect.poll(() => host.processes().filter((line) => line.includes('IFS='))).toEqual([]);
    expect(await host.files()).toContain('/tmp/perf-vdso.so-Theirs');
    other.kill('SIGKILL');
  });

  test('doctor and record delete no file that another user names', { timeout: 180_000 }, async () => {
    const host = await hosts.host({ sudo: 'without password' });
    await withVictims(host);
    await host.start([...STRANGER, 'sh', '-c', AGAIN, 'sh', ...NAMES]);
    const at = ['--target', host.destination];
    expect(await runCliOn({ folder }, host, 'doctor', ...at)).toMatchObject({ code: 0 });
    const busy = await startBusyOn(host);
    for (const way of [[], ['--sudo']]) {
      const args = ['record', 'perf', ...at, '--pid', `${busy.pid}`, '--seconds', '2', ...way];
      expect(await runCliOn({ folder }, host, ...args)).toMatchObject({ code: 0 });
      expect(await victimsOf(host)).toBe(VICTIMS.map((path) => `${path}\n`).join(''));
    }
  });
});
