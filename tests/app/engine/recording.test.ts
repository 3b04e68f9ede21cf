import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Params } from '#core/contract/contract.ts';
import {
  captureDocumentSchema,
  recordingStatusSchema,
  type PerfOptions,
  type RecordingStatus,
} from '#core/contract/schemas.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { createRecorder } from '#app/engine/create-recorder.ts';
import type { RecordedHost } from '#app/engine/host-recording.ts';
import { openTargets } from '#app/engine/targets/targets.ts';
import type { Plan } from '#collectors/collector.ts';
import { startRecording, type RecordedSides, type RecordingSession } from '#app/engine/recording.ts';
import { recoverRecording } from '#app/engine/recover-recording.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import {
  checkPerfEnds,
  commandScope,
  countSamples,
  perfChildren,
  pidScope,
  planFor,
  target,
} from '../../support/perf-recording.ts';

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

const onThisMachine = (plan: Plan<PerfOptions>): RecordedHost => ({ targetId: 'local', target, plan });
const here = async (options: Partial<PerfOptions>): Promise<RecordedHost> => onThisMachine(await planFor(options));

const textOf = (id: string): string => readFileSync(join(library.path, id, 'raw.perf-script.txt'), 'utf8');

function untilStatus(
  session: RecordingSession,
  condition: (status: RecordingStatus) => boolean,
): Promise<RecordingStatus> {
  return new Promise((resolve) => {
    session.onStatus((status) => {
      if (condition(status)) resolve(status);
    });
  });
}

test('a recording becomes a capture that says everything about itself', async () => {
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

test('replicates are one series', async () => {
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

/** Stands for the experiments: each call's captures, and the id that it was given or makes. */
function keeper(): { made: RecordedSides[]; keepSides: (sides: RecordedSides) => Promise<string> } {
  const made: RecordedSides[] = [];
  const keepSides = (sides: RecordedSides): Promise<string> => {
    const number = made.push(sides);
    return Promise.resolve(sides.experimentId ?? `experiment-${number}`);
  };
  return { made, keepSides };
}

describe('two sides', () => {
  async function recordSides(seconds: number, repeat: number): Promise<[RecordingSession, RecordedSides[]]> {
    const { made, keepSides } = keeper();
    const [plan, after] = await Promise.all(
      [startBusy(), startBusy()].map(({ pid }) => planFor({ ...pidScope(pid), seconds })),
    );
    const hosts = [{ ...onThisMachine(plan!), after: after! }];
    return [await startRecording({ library, keepSides }, { hosts, repeat, pauseSeconds: 0, name: 'cache' }), made];
  }

  test('take turns and become an experiment', async () => {
    const [session, made] = await recordSides(0.3, 2);
    const { captures, error, experimentId, status } = await session.ended;
    expect(error).toBeNull();
    expect(captures.map(({ series }) => series)).toEqual(
      (['before', 'after', 'before', 'after'] as const).map((side, run) => ({ id: session.id, run, of: 4, side })),
    );
    expect(captures.map(({ name }) => name)).toEqual([
      'cache before (1/2)',
      'cache after (1/2)',
      'cache before (2/2)',
      'cache after (2/2)',
    ]);
    const [first, second, third, fourth] = captures;
    expect(first!.process!.pid).toBe(third!.process!.pid);
    expect(second!.process!.pid).toBe(fourth!.process!.pid);
    expect(first!.process!.pid).not.toBe(second!.process!.pid);
    // As they come, so that nothing that ends the recording leaves them without an experiment.
    expect(made).toEqual(
      [
        { experimentId: null, before: [first], after: [second] },
        { experimentId: 'experiment-1', before: [third], after: [] },
        { experimentId: 'experiment-1', before: [], after: [fourth] },
      ].map((sides) => ({ ...sides, name: 'cache', wholeRuns: [] })),
    );
    expect(experimentId).toBe('experiment-1');
    expect(recordingStatusSchema.parse(status)).toMatchObject({ state: 'finished', side: 'after', experimentId });
  });

  test('that are stopped keep what there is', async () => {
    const [session, made] = await recordSides(0.3, 50);
    await untilStatus(session, ({ run, state }) => run === 2 && state === 'preparing');
    expect((await session.cancel()).state).toBe('cancelled');
    expect((await session.ended).experimentId).toBe('experiment-1');
    expect(made[0]!.before).toHaveLength(1);
    expect(made[0]!.after).toHaveLength(1);
    expect((await library.list()).captures).toHaveLength(2);
  });

  test('that are commands compare whole runs: one that is cut off is kept, and in no experiment', async () => {
    const { made, keepSides } = keeper();
    const count = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done';
    const [plan, after] = await Promise.all([
      planFor(commandScope('sh', '-c', count)),
      planFor(commandScope('sh', '-c', count)),
    ]);
    const session = await startRecording(
      { library, keepSides },
      { hosts: [{ ...onThisMachine(plan), after }], repeat: 50, pauseSeconds: 0, name: null },
    );
    await untilStatus(session, ({ run, state }) => run === 2 && state !== 'preparing');
    await session.stop();
    const [first, second] = (await session.ended).captures;
    expect(made).toMatchObject([{ before: [first], after: [second], wholeRuns: [first!.id, second!.id] }]);
  });

  test('of which one has nothing make no experiment', async () => {
    const [session, made] = await recordSides(30, 1);
    await untilStatus(session, ({ samples }) => samples > 0);
    expect((await session.stop()).state).toBe('finished');
    expect(await session.ended).toMatchObject({ experimentId: null, captures: [{ series: { side: 'before' } }] });
    expect(made).toEqual([]);
  });
});

test('captures for a side of an experiment are added to it', async () => {
  const { made, keepSides } = keeper();
  const session = await startRecording(
    { library, keepSides },
    {
      hosts: [await here({ ...pidScope(startBusy().pid), seconds: 0.3 })],
      repeat: 2,
      pauseSeconds: 0,
      name: null,
      into: { experimentId: 'experiment-old', side: 'after' },
    },
  );
  const { captures, experimentId } = await session.ended;
  expect(experimentId).toBe('experiment-old');
  expect(captures).toHaveLength(2);
  expect(made).toEqual(
    captures.map((capture) => ({
      experimentId: 'experiment-old',
      name: null,
      before: [],
      after: [capture],
      wholeRuns: [],
    })),
  );
});

test('an experiment that takes nothing ends nothing: all is tried again, and said at the end', async () => {
  const { made, keepSides } = keeper();
  const into = { experimentId: 'experiment-old', side: 'after' } as const;
  const request = async (repeat: number) => ({
    hosts: [await here({ ...pidScope(startBusy().pid), seconds: 0.3 })],
    repeat,
    pauseSeconds: 0,
    name: null,
    into,
  });
  let failures = 1;
  const fails = (sides: RecordedSides): Promise<string> =>
    failures-- > 0 ? Promise.reject(new Error('no room')) : keepSides(sides);
  const { captures, error } = await (await startRecording({ library, keepSides: fails }, await request(2))).ended;
  expect([error, made]).toMatchObject([null, [{ after: captures }]]);
  failures = Infinity;
  const lost = await (await startRecording({ library, keepSides: fails }, await request(1))).ended;
  expect(lost).toMatchObject({ experimentId: null, error: { message: 'no room' }, status: { state: 'failed' } });
  expect(lost.captures).toHaveLength(1);
});

test('stop ends the series and keeps the run; also in the pause', async () => {
  const running = await record({ ...pidScope(startBusy().pid), seconds: 30 }, { repeat: 3 });
  await untilStatus(running, ({ samples }) => samples > 10);
  expect((await running.stop()).state).toBe('finished');
  expect((await running.ended).captures).toHaveLength(1);

  const pausing = await record({ ...pidScope(startBusy().pid), seconds: 0.3 }, { repeat: 3, pauseSeconds: 60 });
  await untilStatus(pausing, ({ run, state }) => run === 1 && state === 'preparing');
  expect((await pausing.stop()).state).toBe('finished');
  expect((await pausing.ended).captures).toHaveLength(1);
});

test('cancel discards the run and keeps those before it', async () => {
  const session = await record({ ...pidScope(startBusy().pid), seconds: 0.5 }, { repeat: 3 });
  await untilStatus(session, ({ run, samples }) => run === 1 && samples > 0);
  expect((await session.cancel()).state).toBe('cancelled');
  expect((await session.cancel()).state).toBe('cancelled');
  const { captures } = await session.ended;
  expect(captures.map(({ series }) => series?.run)).toEqual([0]);
  expect((await library.list()).captures).toHaveLength(1);
});

test('what failed leaves no capture, but a line', async () => {
  const plan = await planFor(pidScope(startBusy().pid));
  const commands = [plan.commands[0]!.with(5, 'no-such-event'), plan.commands[1]!];
  const session = await startRecording(
    { library },
    { hosts: [onThisMachine({ ...plan, commands })], repeat: 1, pauseSeconds: 0, name: null },
  );
  const { captures, error, status } = await session.ended;
  expect(captures).toEqual([]);
  expect(error).toMatchObject({ code: 'unknown-event', remedy: expect.any(String) });
  expect(status).toMatchObject({ state: 'failed', error: expect.stringMatching(/^perf knows no such event; .+/) });
  expect((await library.list()).captures).toEqual([]);
});

test('secrets of a launched command are not in the library', async () => {
  const argv = ['sh', '-c', 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done', 'x', '--password=hunter2secret'];
  const { captures } = await (await record(commandScope(...argv))).ended;
  expect(captures[0]?.collector?.commands[0]?.at(-1)).toBe('--password=‹redacted›');
  const capture = join(library.path, captures[0]!.id);
  for (const name of readdirSync(capture)) {
    expect(readFileSync(join(capture, name), 'latin1')).not.toContain('hunter2secret');
  }
});

test('a library that takes nothing refuses before anything runs', async () => {
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
  expect(await recoverRecording(nothing, imported)).toEqual({});
});

test('the engine’s recorder plans, starts, stops, and lets go at its end', async () => {
  const targets = await openTargets({ configPath: join(library.path, 'config') });
  const recorder = createRecorder(library, targets);
  const busy = startBusy();
  try {
    const seen: string[] = [];
    recorder.onStatus(({ state }) => seen.push(state));
    const params: Params<'record.plan'> = {
      targets: [{ target: 'local' }],
      collector: 'perf',
      options: {
        scope: { kind: 'pid', pid: busy.pid, startTicks: null },
        rateHz: 99,
        event: null,
        callGraph: 'fp',
        seconds: null,
      },
      repeat: 1,
      pauseSeconds: 0,
      name: null,
    };
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
