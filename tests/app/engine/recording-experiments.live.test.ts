import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingStatusSchema } from '#core/contract/schemas.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { startRecording, type RecordedSides, type RecordingSession } from '#app/engine/recording/recording.ts';
import { endStartedProcesses, startBusy } from '../../support/busy-process.ts';
import { checkPerfEnds, commandScope, pidScope, planFor } from '../../support/perf-recording.ts';
import { here, onThisMachine, untilStatus } from '../../support/recording-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'recording-experiments-'));
let library: Library;

endStartedProcesses();
checkPerfEnds();
beforeEach(async () => {
  library = await openLibrary(mkdtempSync(join(folder, 'library-')));
});
afterEach(() => library.close());
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands in for the experiments; records each call's captures, and returns the ID that it was given or creates one. */
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

  test('alternate and become an experiment', async () => {
    const [session, made] = await recordSides(0.3, 2);
    const { captures, error, experimentId, status } = await session.ended;
    expect(error).toBeNull();
    expect(captures.map(({ series }) => series)).toEqual(
      (['before', 'after', 'after', 'before'] as const).map((side, run) => ({ id: session.id, run, of: 4, side })),
    );
    expect(captures.map(({ name }) => name)).toEqual([
      'cache before (1/2)',
      'cache after (1/2)',
      'cache after (2/2)',
      'cache before (2/2)',
    ]);
    const [first, second, third, fourth] = captures;
    expect(first!.process!.pid).toBe(fourth!.process!.pid);
    expect(second!.process!.pid).toBe(third!.process!.pid);
    expect(first!.process!.pid).not.toBe(second!.process!.pid);
    // Called as captures are finished, so that they are in an experiment however the recording ends.
    expect(made).toEqual(
      [
        { experimentId: null, before: [first], after: [second] },
        { experimentId: 'experiment-1', before: [], after: [third] },
        { experimentId: 'experiment-1', before: [fourth], after: [] },
      ].map((sides) => ({ ...sides, name: 'cache', wholeRuns: [] })),
    );
    expect(experimentId).toBe('experiment-1');
    expect(recordingStatusSchema.parse(status)).toMatchObject({ state: 'finished', side: 'before', experimentId });
  });

  test('that are stopped keep their data', async () => {
    const [session, made] = await recordSides(0.3, 50);
    await untilStatus(session, ({ run, state }) => run === 2 && state === 'preparing');
    expect((await session.cancel()).state).toBe('cancelled');
    expect((await session.ended).experimentId).toBe('experiment-1');
    expect(made[0]!.before).toHaveLength(1);
    expect(made[0]!.after).toHaveLength(1);
    expect((await library.list()).captures).toHaveLength(2);
  });

  test('that are commands compare whole runs; one that is cut off is kept, outside the experiment', async () => {
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

  test('do not become an experiment if one side has no captures', async () => {
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

test('a failing experiment does not end the recording; all is retried and reported at the end', async () => {
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
