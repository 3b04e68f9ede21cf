import { expect, test } from 'vitest';
import { startLive } from '#app/engine/live/live-session.ts';
import type { AnyCollector, LiveFeed, LivePiece, RecordingOutcome } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { clock, pidScope, planFor, target } from '../../../support/perf-recording.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

/** A collector whose pieces the test makes. */
function collectorOf(pieces: LivePiece[]): {
  readonly collector: AnyCollector;
  readonly push: () => void;
  readonly end: (exit: RecordingOutcome['exit']) => void;
} {
  const ended = Promise.withResolvers<RecordingOutcome>();
  let onPiece = (): void => undefined;
  const end = (exit: RecordingOutcome['exit']): void =>
    ended.resolve({ state: 'finished', lost: 0, exit, error: null, diagnostics: [] } as unknown as RecordingOutcome);
  const feed: LiveFeed = {
    onProgress: (listener) => listener({ state: 'recording', lost: 0 }),
    take: () => Promise.resolve(pieces.splice(0)),
    stop: () => {
      end({ code: 0, signal: null });
      return Promise.resolve();
    },
    outcome: ended.promise,
  };
  const start: typeof perfCollector.live.start = (_, running) => {
    onPiece = running.onPiece;
    return feed;
  };
  return { collector: { ...perfCollector, live: { ...perfCollector.live, start } }, push: () => onPiece(), end };
}

test('seconds in which nothing was sampled are no gap, those between spans are', async () => {
  const pieces: LivePiece[] = [];
  const { collector, push } = collectorOf(pieces);
  const plan = await planFor({ ...pidScope(process.pid), watched: true });
  const limits = { maxCpus: null };
  const session = await startLive(
    { clock, collector, offersSuccessor: false },
    { targetId: 'local', target, plan, seconds: null, limits },
  );
  const add = (start: number, end: number, text: string | null): void => {
    const span = { start: BigInt(start * 1e9), end: BigInt(end * 1e9) };
    pieces.push({ profile: text === null ? null : profileFromText(text), span, arrivedAt: end * 1000 });
    push();
  };
  for (let second = 0; second < 20; second++) add(second, second + 1, 'main;busy 50');
  await expect.poll(() => session.status.samples).toBeGreaterThan(0);
  session.pin({ window: null, until: null });
  for (let second = 20; second < 60; second++) add(second, second + 1, second % 20 === 0 ? 'main;busy 50' : null);
  await expect.poll(() => session.status.samples).toBe(22 * 50);
  expect(session.status).toMatchObject({ gapSeconds: 0, gaps: [] });
  add(63, 64, 'main;busy 50');
  await expect.poll(() => session.status.gapSeconds).toBe(3);
  await session.stop();
});

test('ends, and says why, if a run after a lost link can’t be noted in the journal', async () => {
  const { collector, end } = collectorOf([]);
  const plan = await planFor({ ...pidScope(process.pid), watched: true });
  const entries = [{ target, end: () => Promise.resolve() }];
  const session = await startLive(
    {
      clock,
      collector,
      offersSuccessor: false,
      reconnect: () => Promise.resolve('up'),
      journal: {
        begin: () => {
          const entry = entries.pop();
          return entry === undefined ? Promise.reject(new Error('the disk is full')) : Promise.resolve(entry);
        },
      },
    },
    { targetId: 'local', target, plan, seconds: null, limits: { maxCpus: null } },
  );
  end({ code: null, signal: null });
  await session.ended;
  expect(session.status).toMatchObject({ state: 'failed', error: 'the disk is full' });
  expect(session.status.events.at(-1)).toMatchObject({ kind: 'ended', text: 'The disk is full.' });
});
