import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { NodeOptions } from '#core/contract/node.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { describePlan } from '#collectors/describe-plan.ts';
import { nodeCollector } from '#collectors/node/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { listenersWithin } from '#collectors/target/listeners.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { HOT_PROGRAM } from '../../support/node-program-source.ts';
import { openPodman } from '../../support/podman.ts';
import { isRunning } from '../../support/process-state.ts';

const local = createLocalTarget();
afterAll(() => local.dispose());

const optionsFor = (pid: number): NodeOptions => ({
  collector: 'node',
  scope: { kind: 'pid', pid, startTicks: null },
  profile: 'cpu',
  seconds: 2,
});

/** Records the process, whose inspector this machine's network does not reach, and checks that nothing of it is left. */
async function expectRecorded(pid: number): Promise<void> {
  const planned = () => nodeCollector.preflight(local, optionsFor(pid));
  await expect.poll(() => planned().then(({ plan }) => plan), { timeout: 60_000 }).not.toBeNull();
  const { plan } = await planned();
  expect(describePlan(plan!).join('\n')).toContain(`nsenter --target ${pid} --net bash -c `);
  const sink = new MemorySink();
  const outcome = await nodeCollector.start(local, plan!, sink, SYSTEM_CLOCK).outcome;
  expect(outcome).toMatchObject({ state: 'finished', error: null, diagnostics: [] });
  const { primaryFile } = outcome;
  const source = { fileName: primaryFile, size: null, chunks: () => sink.read(primaryFile) };
  expect((await importProfile(source)).strings).toContain('hot');
  expect(await listenersWithin(local, pid)).toEqual([]);
  expect(isRunning(pid)).toBe(true);
}

const root = { name: 'root', present: () => process.getuid?.() === 0 };

needing(root, () => {
  test('records a process with its own network', async () => {
    const child = spawn('unshare', [
      '--net',
      'sh',
      '-c',
      `ip link set lo up && exec "$@"`,
      'sh',
      process.execPath,
      '-e',
      HOT_PROGRAM,
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await expectRecorded(child.pid!);
  }, 180_000);

  test('refuses it where its network can’t be entered, with the reason', async () => {
    const child = spawn('unshare', ['--net', process.execPath, '-e', HOT_PROGRAM]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const exe = (): string => readFileSync(`/proc/${child.pid}/comm`, 'latin1').trim();
    await expect.poll(exe, { timeout: 60_000 }).not.toBe('unshare');
    const denied = 'echo "nsenter: reassociate to namespace failed: Operation not permitted" >&2; exit 1';
    const unprivileged: Target = {
      ...local,
      run: (argv, options) => local.run(argv[0] === 'nsenter' ? ['sh', '-c', denied] : argv, options),
    };
    const { checks, plan } = await nodeCollector.preflight(unprivileged, optionsFor(child.pid!));
    expect([plan, checks[0]!.found, checks[0]!.remedy]).toEqual([
      null,
      expect.stringMatching(
        /has its own network, .*: nsenter: reassociate to namespace failed: Operation not permitted$/,
      ),
      expect.stringMatching(/^record as root or, if you started a rootless container, as that user, /),
    ]);
  }, 180_000);

  test('records a process of a container', async () => {
    const containers = openPodman();
    onTestFinished(() => containers.close());
    const pid = containers.start('fb-node', [process.execPath, '-e', HOT_PROGRAM], [dirname(process.execPath)]);
    await expectRecorded(pid);
  }, 240_000);
});
