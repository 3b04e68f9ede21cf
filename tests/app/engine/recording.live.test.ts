import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Params } from '#core/contract/contract.ts';
import { captureDocumentSchema, recordingStatusSchema, type PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, commandStep } from '#collectors/collector.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { createRecorder } from '#app/engine/recording/create-recorder.ts';
import { openTargets } from '#app/engine/targets/targets.ts';
import { startRecording, type RecordingSession } from '#app/engine/recording/recording.ts';
import { recoverRecording } from '#app/engine/recording/recover-recording.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import {
  checkPerfEnds,
  commandScope,
  countSamples,
  perfChildren,
  pidScope,
  planFor,
} from '../../support/perf-recording.ts';
import { here, onThisMachine, untilStatus } from '../../support/recording-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'recording-'));
let library: Library;

endStartedProcesses();
checkPerfEnds();
beforeEach(async () => {
  library = await openLibrary(mkdtempSync(join(folder, 'library-')));
});
afterEach(() => library.close());
afterAll(() => rmSync(folder, { recursive: true }));

async function record(
  options: Partial<PerfOptions>,
  request: { repeat?: number; pauseSeconds?: number; name?: string } = {},
): Promise<RecordingSession> {
  const { repeat = 1, pauseSeconds = 0, name = null } = request;
  return startRecording({ library }, { hosts: [await here(options)], repeat, pauseSeconds, name });
}

const textOf = (id: string): string => readFileSync(join(library.path, id, 'raw.perf-script.txt'), 'utf8');

test('a recording becomes a capture that describes it completely', async () => {
  const busy = startBusy();
  const session = await record({ ...pidScope(busy.pid), seconds: 1 }, { name: 'a name' });
  const states: string[] = [];
  session.onStatus((status) => {
    recordingStatusSchema.parse(status);
    if (states.at(-1) !== status.state) states.push(status.state);
  });
  await untilStatus(session, ({ state }) => state === 'recording');
  await expect.poll(async () => (await library.get(session.status.captureId)).state).toBe('recording');
  const { captures, error, status } = await session.ended;

  expect(error).toBeNull();
  expect(states).toEqual(['preparing', 'recording', 'stopping', 'finished']);
  const { captures: listed } = await library.list();
  expect(listed).toEqual(captures);
  const document = captureDocumentSchema.parse(listed[0]);
  expect(document.circumstances!.loadAverage).toEqual({ start: expect.any(Number), end: expect.any(Number) });
  expect(document.circumstances!.steal).toBeGreaterThanOrEqual(0);
  expect(document).toMatchObject({
    id: status.captureId,
    name: 'a name',
    state: 'finished',
    incomplete: false,
    origin: 'recorded',
    format: 'perf-script',
    primaryFile: 'raw.perf-script.txt',
    otherFiles: ['raw.perf.data'],
    collector: { id: 'perf', toolVersion: expect.stringMatching(/^\d/), signal: 'SIGINT' },
    target: { kind: 'local', cpuCount: expect.any(Number), kernel: expect.any(String), arch: expect.any(String) },
    process: { pid: busy.pid, name: 'sh', runtime: null },
    rateHz: 199,
    lostSamples: 0,
    series: null,
  });
  expect(document.collector?.commands[0]?.slice(1, 4)).toEqual(['record', '-o', '-']);
  expect(document.durationMs).toBeGreaterThan(900);
  expect(Math.abs(document.startedAt! - Date.now())).toBeLessThan(20_000);
  expect(document.cpuSeconds!.end).toBeGreaterThan(document.cpuSeconds!.start);
  expect(document.samples).toBeGreaterThan(5);
  expect(countSamples(textOf(document.id))).toBe(document.samples);
});

test('replicates form one series', async () => {
  const session = await record({ ...pidScope(startBusy().pid), seconds: 0.4 }, { repeat: 3, pauseSeconds: 0.1 });
  const runs = new Set<number>();
  session.onStatus(({ run, runs: of }) => {
    runs.add(run);
    expect(of).toBe(3);
  });
  const { captures, error } = await session.ended;
  expect(error).toBeNull();
  expect(captures.map(({ series }) => series)).toEqual([0, 1, 2].map((run) => ({ id: session.id, run, of: 3 })));
  expect(captures[1]?.name).toMatch(/^sh \(\d+\) \(2\/3\)$/);
  expect([...runs]).toEqual([0, 1, 2]);
  expect((await library.list()).captures).toHaveLength(3);
});

test('stop ends the series and keeps the run, also during the pause', async () => {
  const running = await record({ ...pidScope(startBusy().pid), seconds: 30 }, { repeat: 3 });
  await untilStatus(running, ({ samples }) => samples > 10);
  expect((await running.stop()).state).toBe('finished');
  expect((await running.ended).captures).toHaveLength(1);

  const pausing = await record({ ...pidScope(startBusy().pid), seconds: 0.3 }, { repeat: 3, pauseSeconds: 60 });
  await untilStatus(pausing, ({ run, state }) => run === 1 && state === 'preparing');
  expect((await pausing.stop()).state).toBe('finished');
  expect((await pausing.ended).captures).toHaveLength(1);
});

test('cancel discards the run and keeps earlier ones', async () => {
  const session = await record({ ...pidScope(startBusy().pid), seconds: 0.5 }, { repeat: 3 });
  await untilStatus(session, ({ run, state }) => run === 1 && state === 'recording');
  expect((await session.cancel()).state).toBe('cancelled');
  expect((await session.cancel()).state).toBe('cancelled');
  const { captures } = await session.ended;
  expect(captures.map(({ series }) => series?.run)).toEqual([0]);
  expect((await library.list()).captures).toHaveLength(1);
});

test('a failure leaves no capture, but a message', async () => {
  const plan = await planFor(pidScope(startBusy().pid));
  const commands = [commandsOf(plan)[0]!.with(5, 'no-such-event'), commandsOf(plan)[1]!];
  const session = await startRecording(
    { library },
    { hosts: [onThisMachine({ ...plan, steps: commands.map(commandStep) })], repeat: 1, pauseSeconds: 0, name: null },
  );
  const { captures, error, status } = await session.ended;
  expect(captures).toEqual([]);
  expect(error).toMatchObject({ code: 'unknown-event', remedy: expect.any(String) });
  expect(status).toMatchObject({ state: 'failed', error: expect.stringMatching(/^perf does not know this event; .+/) });
  expect((await library.list()).captures).toEqual([]);
});

test('stores no secrets of a launched command', async () => {
  const argv = ['sh', '-c', 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done', 'x', '--password=hunter2secret'];
  const { captures } = await (await record(commandScope(...argv))).ended;
  expect(captures[0]?.collector?.commands.at(-1)?.at(-1)).toBe('--password=‹redacted›');
  const capture = join(library.path, captures[0]!.id);
  for (const name of readdirSync(capture)) {
    expect(readFileSync(join(capture, name), 'latin1')).not.toContain('hunter2secret');
  }
});

test('refuses a budget of overhead for a program that it starts', async () => {
  const hosts = [await here(commandScope('true'))];
  const request = { hosts, repeat: 1, pauseSeconds: 0, name: null, maxOverhead: 0.01 };
  await expect(startRecording({ library }, request)).rejects.toMatchObject({
    code: 'usage',
    message: 'The overhead is watched for running processes only.',
  });
  expect((await library.list()).captures).toEqual([]);
});

test('refuses before anything runs if the library accepts nothing', async () => {
  const plan = await planFor(pidScope(startBusy().pid));
  const broken = { create: () => Promise.reject(new Error('read-only')) };
  await expect(
    startRecording({ library: broken }, { hosts: [onThisMachine(plan)], repeat: 1, pauseSeconds: 0, name: null }),
  ).rejects.toThrow('read-only');
  expect(perfChildren('perf record')).toEqual([]);
});

test('an imported capture has nothing to recover', async () => {
  const imported = await library.importFile('a.folded', (async function* () {})());
  const nothing = { append: () => Promise.resolve(), async *read() {}, replace: () => Promise.resolve() };
  expect(await recoverRecording(nothing, imported, true)).toEqual({});
});

test('the engine’s recorder plans, starts, stops, and releases at its end', async () => {
  const targets = await openTargets({ configPath: join(library.path, 'config') });
  const recorder = createRecorder(library, targets);
  const busy = startBusy();
  try {
    const seen: string[] = [];
    recorder.onStatus(({ state }) => seen.push(state));
    const params = {
      targets: [{ target: 'local' }],
      options: {
        collector: 'perf',
        scope: { kind: 'pid', pid: busy.pid, startTicks: null },
        rateHz: 99,
        event: null,
        callGraph: 'fp',
        seconds: null,
      },
      repeat: 1,
      pauseSeconds: 0,
      name: null,
    } satisfies Params<'record.plan'>;
    const impossible = await recorder.plan({ ...params, options: { ...params.options, event: 'no-such-event' } });
    expect(impossible).toMatchObject({ hosts: [{ targetId: 'local', commands: [] }], start: null });
    const planned = await recorder.plan(params);
    expect(planned.hosts[0]?.commands[0]).toContain(String(busy.pid));
    const status = await planned.start!();
    expect(recorder.list()).toMatchObject([{ recordingId: status.recordingId }]);
    await expect.poll(() => recorder.list()[0]?.samples, { timeout: 20_000 }).toBeGreaterThan(5);
    expect(await recorder.stop(status.recordingId)).toMatchObject({ state: 'finished' });
    expect(seen).toContain('recording');
    await expect(recorder.stop('unknown')).rejects.toMatchObject({ code: 'not-found' });

    const second = await (await recorder.plan(params)).start!();
    await expect.poll(() => recorder.list()[1]?.state, { timeout: 20_000 }).toBe('recording');
    await recorder.dispose();
    expect(recorder.list()[1]).toMatchObject({ recordingId: second.recordingId, state: 'finished' });
    expect(existsSync(join(library.path, second.captureId))).toBe(true);
  } finally {
    await recorder.dispose();
  }
});
