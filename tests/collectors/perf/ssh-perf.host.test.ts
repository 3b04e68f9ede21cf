import { globSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { RecordingOutcome } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import type { SshTarget } from '#collectors/target/ssh/ssh-target.ts';
import type { RunningProcess } from '#collectors/target/target.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import { MemorySink } from '../../support/memory-sink.ts';
import { needing } from '../../support/needing.ts';
import { clock, codesOf, countSamples, pidScope, planFor, untilSamples } from '../../support/perf-recording.ts';
import { perfPythons } from '../../support/perf-pythons.ts';
import { PASSWORD, sshHosts } from '../../support/sshd.ts';
import { describePipeline } from '../target/pipeline-suite.ts';
import { ownHosts } from '../target/ssh-hosts.ts';
import { BUSY_LOOP } from '../../support/busy-loop.ts';

endStartedProcesses();

needing(sshHosts, () => {
  const hosts = ownHosts();

  async function record(
    target: SshTarget,
    options: Partial<PerfOptions>,
  ): Promise<{ outcome: RecordingOutcome; sink: MemorySink }> {
    const sink = new MemorySink();
    const recording = perfCollector.start(target, await planFor(options, target), sink, clock);
    await untilSamples(recording, 20);
    await recording.stop();
    return { outcome: await recording.outcome, sink };
  }

  describe('perf over ssh', () => {
    let target: SshTarget;
    beforeAll(async () => {
      target = hosts.target(await hosts.host());
    });
    const startBusyThere = (): Promise<RunningProcess> => target.run(BUSY_LOOP);

    test('records a process with the text that perf script prints there, and leaves nothing', async () => {
      const busy = await startBusyThere();
      const { outcome, sink } = await record(target, pidScope(busy.pid));
      expect(outcome).toMatchObject({ state: 'finished', incomplete: false, error: null, otherFiles: [] });
      expect(codesOf(outcome).filter((code) => code !== 'user-only')).toEqual(['perf-data-not-kept']);
      const text = sink.text(outcome.primaryFile);
      expect(countSamples(text)).toBe(outcome.samples);
      expect(text).toMatch(new RegExp(`^sh +${busy.pid}/${busy.pid} `, 'm'));
      expect(outcome.durationMs).toBeGreaterThan(0);
      expect(outcome.cpuSeconds!.end).toBeGreaterThan(outcome.cpuSeconds!.start);
      busy.kill('SIGKILL');
      await busy.exit;
      const left = await runToEnd(target, ['sh', '-c', 'pgrep -x perf; ls -A /tmp']);
      expect(new TextDecoder().decode(left.stdout)).toBe('');
    });

    test.for([false, true])('names code of a JIT dump, perf’s stream kept: %s', async (keepPerfData) => {
      const folder = '/tmp/dump';
      // The runtime has written its whole dump once it has ended.
      const program = `
        function turn(n) { let s = 1; for (let i = 0; i < n; i++) s = (s * 48271) % 2147483647; return s; }
        const go = () => { turn(1e6); setImmediate(go); };
        process.on('SIGTERM', () => process.exit());
        go();`;
      const inFolder = ['sh', '-c', `mkdir ${folder} && cd ${folder} && exec "$@"`, 'sh'];
      const node = await target.run([...inFolder, process.execPath, '--perf-prof', '-e', program]);
      const sink = new MemorySink();
      const options = { ...pidScope(node.pid), rateHz: 499, keepPerfData };
      const recording = perfCollector.start(target, await planFor(options, target), sink, clock);
      await untilSamples(recording, 500);
      node.kill('SIGTERM');
      const outcome = await recording.outcome;
      await runToEnd(target, ['rm', '-r', folder]);
      expect(outcome).toMatchObject({ state: 'finished', samples: countSamples(sink.text(outcome.primaryFile)) });
      const [frame] = /JS:\S*turn .*$/m.exec(sink.text(outcome.primaryFile)) ?? [];
      expect(frame).toMatch(new RegExp(`\\(/tmp/perf-${node.pid}\\.map\\)$`));
      expect(codesOf(outcome)).not.toContain('jit-map-missing');
    });

    test('also keeps perf’s own stream on request', async () => {
      const busy = await startBusyThere();
      const { outcome, sink } = await record(target, { ...pidScope(busy.pid), keepPerfData: true });
      busy.kill('SIGKILL');
      expect(codesOf(outcome).filter((code) => code !== 'user-only')).toEqual([]);
      const [raw] = outcome.otherFiles;
      expect(new TextDecoder().decode(sink.files.get(raw!)?.subarray(0, 8))).toBe('PERFILE2');
      expect(countSamples(sink.text(outcome.primaryFile))).toBe(outcome.samples);
    });
  });

  const python = perfPythons().find(([name]) => name !== 'python3.12');
  // oxlint-disable-next-line vitest/no-conditional-tests -- its name says what is left out
  if (python === undefined) test('left out: no CPython 3.13 or later is installed', () => undefined);
  else
    test('finds the callers of Python with -X perf_jit if perf’s stream is kept, and leaves nothing', async () => {
      const target = hosts.target(await hosts.host({ files: 'shared' }));
      const program = `import time
def hot():
    s = 0
    for i in range(20000): s = (s + i * i) % 1000003
def middle(): hot()
end = time.time() + 1
while time.time() < end: middle()`;
      const argv = [python[1], '-X', 'perf_jit', '-c', program];
      const record = async (keepPerfData: boolean) => {
        const sink = new MemorySink();
        const options = { scope: { kind: 'command', argv }, callGraph: 'auto', rateHz: 499, keepPerfData } as const;
        const plan = await planFor(options, target);
        const outcome = await perfCollector.start(target, plan, sink, clock).outcome;
        expect(outcome).toMatchObject({ state: 'finished', incomplete: false, error: null });
        const text = sink.text(outcome.primaryFile);
        const [, pid] = /^\S+ +(\d+)\/\d+ /m.exec(text)!;
        rmSync(`/tmp/jit-${pid}.dump`);
        expect(globSync(`/tmp/{jitted-${pid}-*,perf-${pid}.map}`)).toEqual([]);
        const whole = text.split('\n\n').filter((sample) => /py::hot:[^]*py::middle:[^]*py::<module>:/.test(sample));
        return { outcome, text, share: whole.length / countSamples(text), remark: plan.remark ?? '' };
      };
      const without = await record(false);
      expect(without).toMatchObject({ share: 0, remark: expect.stringContaining('--keep-perf-data') });
      expect(codesOf(without.outcome)).toContain('python-callers');
      const { outcome, text, share, remark } = await record(true);
      expect(share).toBeGreaterThan(0.7);
      expect(remark).toBe('');
      expect(codesOf(outcome)).not.toContain('python-callers');
      expect(text).not.toContain('jitted-');
    }, 180_000);

  test('names code that a process compiles late in a container, where it has another PID', async () => {
    const target = hosts.target(await hosts.host({ user: 'root' }));
    const program = `
      let turn = function earlyTurn(n) { let s = 1; for (let i = 0; i < n; i++) s = (s * 48271) % 2147483647; return s; };
      process.on('SIGUSR2', () => { turn = eval('(' + String(turn).replace('earlyTurn', 'lateTurn') + ')'); });
      const go = () => { turn(1e6); setImmediate(go); };
      go();`;
    const inContainer = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c'];
    const node = [process.execPath, '--perf-basic-prof', '--interpreted-frames-native-stack', '-e', program];
    const container = await target.run([...inContainer, 'mount -t tmpfs tmpfs /tmp && exec "$@"', 'sh', ...node]);
    const childOf = async (pid: number): Promise<string> =>
      new TextDecoder().decode(await target.readFile(`/proc/${pid}/task/${pid}/children`)).trim();
    await expect.poll(() => childOf(container.pid), { timeout: 10_000 }).not.toBe('');
    const inside = Number(await childOf(container.pid));
    await expect.poll(() => target.stat(`/proc/${inside}/root/tmp/perf-1.map`), { timeout: 20_000 }).not.toBeNull();
    const sink = new MemorySink();
    const options = { ...pidScope(inside), rateHz: 199 };
    const recording = perfCollector.start(target, await planFor(options, target), sink, clock);
    const { samples } = await untilSamples(recording, 50);
    await runToEnd(target, ['kill', '-USR2', `${inside}`]);
    await untilSamples(recording, samples + 200);
    await recording.stop();
    const outcome = await recording.outcome;
    container.kill('SIGKILL');
    expect(outcome).toMatchObject({ state: 'finished', samples: countSamples(sink.text(outcome.primaryFile)) });
    const text = sink.text(outcome.primaryFile);
    expect(text).toMatch(new RegExp(`JS:\\S*earlyTurn .*\\(/tmp/perf-${inside}\\.map\\)$`, 'm'));
    expect(text).toMatch(new RegExp(`JS:\\S*lateTurn .*\\(/tmp/perf-${inside}\\.map\\)$`, 'm'));
  });

  test('records by sudo what the user may not record', async () => {
    const target = hosts.target(await hosts.host({ sudo: 'with password' }));
    const { plan, checks } = await perfCollector.preflight(target, {
      collector: 'perf',
      scope: { kind: 'system' },
      rateHz: 199,
      event: null,
      callGraph: 'fp',
      seconds: null,
    });
    expect(plan).toBeNull();
    expect(checks.find(({ id }) => id === 'permission')).toMatchObject({
      status: 'failed',
      remedy: expect.stringContaining('--sudo'),
    });
    startBusy();
    target.connection.onState(({ kind }) => {
      if (kind === 'needs-you') target.connection.terminal.write(`${PASSWORD}\r`);
    });
    const { outcome } = await record(target, { scope: { kind: 'system' }, asRoot: true });
    expect(outcome).toMatchObject({ state: 'finished', incomplete: false, error: null });
    expect(outcome.samples).toBeGreaterThan(0);
    const left = await runToEnd(target, ['sh', '-c', 'pgrep -x perf; ls -d /tmp/flamebench-*']);
    expect(new TextDecoder().decode(left.stdout)).toBe('');
  });

  describe('pipelines', () => {
    let create: () => SshTarget;
    beforeAll(async () => {
      const host = await hosts.host({ files: 'shared' });
      create = () => hosts.target(host);
    });
    describePipeline('ssh', () => create());
  });
});
