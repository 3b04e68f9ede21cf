import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { busyAtTimes } from '../../support/busy-loop.ts';
import { needing } from '../../support/needing.ts';
import { sshHosts, startSshHost, type SshHost } from '../../support/sshd.ts';
import { captureFolders, captureIn, expectClean, libraryOf, startCli } from './remote-recording.ts';

/** Each with its own sshd. */
const HOSTS = process.env['CI_FULL'] === '1' ? 50 : 8;
/** Hosts of a wave of 25 %. */
const WAVE = Math.ceil(HOSTS / 4);

if (HOSTS > 8) vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

needing(sshHosts, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssh-waves-'));
  const clientConfigFile = join(folder, 'ssh_config');
  const targetFile = join(folder, 'hosts.txt');
  const hosts: SshHost[] = [];
  const pids: string[] = [];
  beforeAll(async () => {
    while (hosts.length < HOSTS) {
      const next = Array.from({ length: Math.min(4, HOSTS - hosts.length) }, () => startSshHost());
      hosts.push(...(await Promise.all(next)));
    }
    for (const host of hosts)
      pids.push('--pid', `${(await host.start(busyAtTimes(0.2, 160_000 / HOSTS), { user: true })).pid}`);
    writeFileSync(clientConfigFile, hosts.map(({ clientConfigText }) => clientConfigText).join('\n'));
    writeFileSync(targetFile, `# the fleet\n${hosts.map(({ destination }) => `${destination} # one`).join('\n\n')}\n`);
  });
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.dispose()));
    rmSync(folder, { recursive: true });
  });
  const record = (user: { folder: string }, ...args: string[]) =>
    startCli(user, { clientConfigFile }, ['record', 'perf', '--target-file', targetFile, ...pids, ...args]).ended;

  test(`records ${HOSTS} hosts of a file ${WAVE} at a time, into one experiment`, async () => {
    const user = { folder: join(folder, 'turns') };
    const { code, stderr } = await record(user, '--wave', '25%', '--seconds', '3', '--rate', '997');
    expect(code, stderr).toBe(0);
    const captures = captureFolders(user).map(captureIn);
    const times = captures.map(({ startedAt, durationMs }) => [startedAt!, startedAt! + durationMs!] as const);
    const during = times.map(([start]) => times.filter(([from, to]) => from <= start && start < to).length);
    expect(Math.max(...during)).toBeLessThanOrEqual(WAVE);
    expect(new Set(captures.map(({ target }) => target!.host)).size).toBe(HOSTS);
    const library = await openLibrary(libraryOf(user));
    const { experiments } = await (await openExperiments(library)).list();
    library.close();
    expect(experiments.map(({ experiment }) => experiment.before.captures.length)).toEqual([HOSTS]);
    for (const host of hosts) await expectClean(host);
  });

  test('keeps the wave that costs its hosts too much, and begins no other', async () => {
    const user = { folder: join(folder, 'budget') };
    const { code, stderr } = await record(
      user,
      '--wave',
      '2',
      '--max-overhead',
      '0.001%',
      '--rate',
      '4999',
      '--seconds',
      '90',
    );
    expect(code).toBe(4);
    expect(stderr).toContain(`${HOSTS - 2} of ${HOSTS} hosts failed: `);
    expect(stderr).toMatch(/: not recorded: the recording used [\d.]+ % of the CPU time of \S+, more than 0\.00 %/);
    expect(stderr).toMatch(/^Overhead, as a share of the host’s CPU time: \S+ [\d.]+ %, \S+ [\d.]+ %\.$/m);
    const captures = captureFolders(user).map(captureIn);
    expect(captures.map(({ state }) => state)).toEqual(['finished', 'finished']);
    for (const { diagnostics, durationMs, circumstances } of captures) {
      expect(diagnostics.map((one) => one.code)).toContain('overhead-exceeded');
      expect(durationMs!).toBeLessThan(90_000);
      expect(circumstances!.overhead).toBeGreaterThan(0.00001);
    }
    for (const host of hosts) await expectClean(host);
  });
});
