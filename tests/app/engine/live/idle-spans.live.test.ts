import { expect, test } from 'vitest';
import { startLive } from '#app/engine/live/live-session.ts';
import type { AnyCollector, LiveFeed, LivePiece, RecordingOutcome } from '#collectors/collector.ts';
import { perfCollector } from '#collectors/perf/collector.ts';
import { clock, pidScope, planFor, target } from '../../../support/perf-recording.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

/** A collector whose pieces the test makes. */
function collectorOf(pieces: LivePiece[]): { readonly collector: AnyCollector; readonly push: () => void } {
  const ended = Promise.withResolvers<RecordingOutcome>();
  let onPiece = (): void => undefined;
  const feed: LiveFeed = {
    onProgress: (listener) => listener({ state: 'recording', lost: 0 }),
    take: () => Promise.resolve(pieces.splice(0)),
    stop: () => {
      ended.resolve({
        state: 'finished',
        lost: 0,
        exit: { code: 0, signal: null },
        error: null,
        diagnostics: [],
      } as unknown as RecordingOutcome);
      return Promise.resolve();
    },
    outcome: ended.promise,
  };
  const start: typeof perfCollector.live.start = (_, running) => {
    onPiece = running.onPiece;
    return feed;
  };
  return { collector: { ...perfCollector, live: { ...perfCollector.live, start } }, push: () => onPiece() };
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
