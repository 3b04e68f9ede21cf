import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { PerfOptions, RecordingStatus } from '#core/contract/schemas.ts';
import { openCollectorMemory } from '#app/engine/recording/collector-memory.ts';
import { createRecorder } from '#app/engine/recording/create-recorder.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { startRecording, type RecordingSession } from '#app/engine/recording/recording.ts';
import { buildIdOf, BUILDS } from '#collectors/perf/build-memory.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { commandsOf } from '#collectors/collector.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import { checkPerfEnds, commandScope, pidScope, planFor, target } from '../../support/perf-recording.ts';
import { here, onThisMachine, untilStatus } from '../../support/recording-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'call-graph-'));
let library: Library;
let memory: ReturnType<typeof openCollectorMemory>;

endStartedProcesses();
checkPerfEnds();
beforeEach(async () => {
  library = await openLibrary(mkdtempSync(join(folder, 'library-')));
  memory = openCollectorMemory(mkdtempSync(join(folder, 'config-')));
});
afterEach(async () => {
  library.close();
  await memory.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The shell that the tests keep busy is built without frame pointers. */
const record = async (options: Partial<PerfOptions>, repeat = 1): Promise<RecordingSession> =>
  startRecording(
    { library, collector: collectorsWith({ memory }) },
    { hosts: [await here(options)], repeat, pauseSeconds: 0, name: null },
  );

test('reports truncated stacks within the first second of a recording, and remembers the build', async () => {
  const { pid } = startBusy();
  const session = await record(pidScope(pid));
  const { finding } = await untilStatus(session, (status) => status.finding !== undefined);
  expect(finding).toMatchObject({
    message: expect.stringMatching(/of the stacks are truncated/),
    options: { callGraph: 'dwarf' },
  });
  await session.stop();
  const { captures } = await session.ended;
  expect(captures[0]?.quality?.grade).toBe('poor');
  const buildId = await buildIdOf(target, { kind: 'pid', pid, startTicks: null });
  expect((await memory.table(BUILDS)).get()).toEqual([{ buildId, mode: 'dwarf' }]);
});

test('auto shows both candidates, and switches a process to DWARF automatically', async () => {
  const plan = await planFor({ ...pidScope(startBusy().pid), callGraph: 'auto' });
  expect(commandsOf(plan)[0]).toContain('-g');
  expect(commandsOf(plan.fallback!)[0]?.join(' ')).toContain('--call-graph dwarf');
  const session = await startRecording(
    { library, collector: collectorsWith({ memory }) },
    { hosts: [onThisMachine(plan)], repeat: 1, pauseSeconds: 0, name: null },
  );
  const first = session.status.captureId;
  await untilStatus(session, ({ captureId, samples }) => captureId !== first && samples > 30);
  await session.stop();
  const { captures, error } = await session.ended;
  expect(error).toBeNull();
  expect(captures).toHaveLength(1);
  expect(captures[0]?.options).toMatchObject({ callGraph: 'dwarf' });
  expect(captures[0]?.collector?.commands[0]).toContain('dwarf');
  expect((await library.list()).captures).toHaveLength(1);
});

test('auto lets a command run to its end once, and records its next run with DWARF', async () => {
  const script = 'echo run >> "$0"; i=0; while [ $i -lt 4000000 ]; do i=$((i+1)); done';
  const counted = join(mkdtempSync(join(folder, 'auto-')), 'runs');
  const session = await record({ ...commandScope('sh', '-c', script, counted), callGraph: 'auto' }, 2);
  const { captures } = await session.ended;
  expect(captures.map(({ options }) => options)).toMatchObject([{ callGraph: 'fp' }, { callGraph: 'dwarf' }]);
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(counted, 'utf8')).toBe('run\nrun\n');
});

test('plans a build with what was found earlier', async () => {
  const scope: PerfOptions['scope'] = { kind: 'command', argv: ['sh', '-c', ':'] };
  const buildId = await buildIdOf(target, scope);
  await (await memory.table(BUILDS)).edit(() => [{ buildId: buildId!, mode: 'dwarf' }]);
  const options: PerfOptions = { collector: 'perf', scope, rateHz: 99, event: null, callGraph: 'auto', seconds: null };
  const remembering = collectorsWith({ memory })('perf');
  const auto = await remembering.preflight(target, options);
  expect(commandsOf(auto.plan!)[0]).toContain('dwarf');
  expect(auto.plan?.fallback).toBeUndefined();
  const fp = await remembering.preflight(target, { ...options, callGraph: 'fp' });
  expect(fp.checks.find(({ id }) => id === 'call-graph')).toMatchObject({ status: 'warning' });
  expect(commandsOf(fp.plan!)[0]).toContain('-g');
});

test('plans a restart with the finding, and discards the recording that it replaces', async () => {
  const targets = { open: () => Promise.resolve(target) };
  const recorder = createRecorder(library, targets, { memory });
  const { pid } = startBusy();
  const options: PerfOptions = {
    collector: 'perf',
    scope: { kind: 'pid', pid, startTicks: null },
    rateHz: 199,
    event: null,
    callGraph: 'fp',
    seconds: null,
  };
  const params = {
    targets: [{ target: 'local' }],
    collector: 'perf' as const,
    options,
    repeat: 1,
    pauseSeconds: 0,
    name: null,
  };
  const found = new Promise<RecordingStatus>((resolve) => {
    recorder.onStatus((status) => {
      if (status.finding !== undefined) resolve(status);
    });
  });
  const begun = await (await recorder.plan(params)).start!();
  await expect(recorder.planRestart(begun.recordingId)).rejects.toMatchObject({ code: 'nothing-found' });
  await found;
  const planned = await recorder.planRestart(begun.recordingId);
  expect(planned.hosts[0]?.lines[0]).toContain('--call-graph dwarf');
  const again = await planned.start!();
  expect(recorder.list().find(({ recordingId }) => recordingId === begun.recordingId)?.state).toBe('cancelled');
  await recorder.cancel(again.recordingId);
  await recorder.dispose();
});
