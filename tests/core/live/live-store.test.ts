import { describe, expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { timeHistogram } from '#core/analyze/time/histogram.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { LiveStore, type LiveOrigin } from '#core/live/live-store.ts';
import { RollingWindows, type RollingWindow } from '#core/live/rolling-window.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { StackIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

const ORIGIN: LiveOrigin = { format: 'perf-script', rateHz: 99, tool: 'perf', toolVersion: null, hostName: 'vm' };
const START = 5_000_000_000_000n;

/** One second of samples, as perf's text gives it: `samples` of them, in stacks that `pathOf` names, on two threads. */
function second(at: number, samples: number, pathOf: (sample: number) => readonly string[]): Profile {
  const builder = new ProfileBuilder(1);
  const event = builder.event('cpu-clock');
  const threads = [builder.thread(7, 7, 'main'), builder.thread(7, 8, 'worker')];
  for (let sample = 0; sample < samples; sample++) {
    let stack = -1 as StackIndex;
    for (const name of pathOf(sample))
      stack = builder.stack(stack, builder.frame({ func: builder.function({ name }) }));
    builder.sample({ stack, thread: threads[sample % 2]!, event, time: (sample / samples) * 1e9, cpu: 0 }, 10_101_010);
  }
  return builder.finish(
    [
      { type: 'cpu-clock', unit: 'nanoseconds', event, column: 0 },
      { type: 'cpu-clock', unit: 'samples', event, column: -1 },
    ],
    { format: 'perf-script', timeOrigin: START + BigInt(at) * 1_000_000_000n, defaultValueType: 0 as ValueTypeIndex },
  );
}

const paths = (sample: number): readonly string[] => ['main', `work${sample % 5}`, `leaf${sample % 7}`];

function totals(profile: Profile): number[] {
  return profile.valueTypes.map((_, type) =>
    sampleWeights(profile, type as ValueTypeIndex).reduce((sum, weight) => sum + weight, 0),
  );
}

describe('a live store', () => {
  test('keeps the sums of more than an hour exactly, in rows that do not grow', () => {
    const store = new LiveStore(ORIGIN);
    let rowsAfterAnHour = 0;
    for (let at = 0; at < 5000; at++) {
      store.append(second(at, 12, paths), 0n);
      if (at === 3700) rowsAfterAnHour = store.rowCount;
    }
    const { profile, samples } = store.snapshot(null);
    checkProfile(profile);
    expect(samples).toBe(5000 * 12);
    expect(totals(profile)).toEqual([5000 * 12 * 10_101_010, 5000 * 12]);
    expect(store.appended).toEqual({ samples, weights: totals(profile) });
    expect(store.rowCount).toBeLessThan(rowsAfterAnHour * 1.2);
  });

  test('shows the last seconds sample by sample, and five minutes in whole seconds', () => {
    const store = new LiveStore(ORIGIN);
    for (let at = 0; at < 1000; at++) store.append(second(at, 10, paths), 0n);
    const near = store.snapshot(10);
    expect(near.samples).toBe(100);
    expect(near.profile.samples.length).toBe(100);
    expect(new Set(near.profile.samples.time).size).toBe(100);
    const far = store.snapshot(300);
    expect(far.samples).toBeGreaterThanOrEqual(3000);
    expect(far.samples).toBeLessThanOrEqual(3010);
    expect(far.range!.end - far.range!.start).toBeLessThanOrEqual(301e9);
    expect(store.count(300)).toBe(far.samples);
  });

  test('shows an earlier moment, sample by sample while it is near and in whole buckets later', () => {
    const store = new LiveStore(ORIGIN);
    for (let at = 0; at < 40; at++) store.append(second(at, 10, paths), 0n);
    const until = store.newest!;
    const shown = store.snapshot(10, until);
    for (let at = 40; at < 50; at++) store.append(second(at, 10, paths), 0n);
    expect(store.snapshot(10, until)).toEqual(shown);
    expect(store.count(10, until)).toBe(shown.samples);
    expect(store.rowsOf(10, until).time.every((time) => time > until - 10e9 && time <= until)).toBe(true);
    expect(store.snapshot(null, until).samples).toBe(400);
    for (let at = 50; at < 200; at++) store.append(second(at, 10, paths), 0n);
    const later = store.snapshot(10, until);
    expect(later.samples).toBeGreaterThanOrEqual(shown.samples);
    expect(later.samples).toBeLessThanOrEqual(shown.samples + 20);
    expect(later.range!.end).toBe(until);
    expect(store.snapshot(10, -1)).toMatchObject({ samples: 0, range: null });
    expect(store.snapshot(10, 1e18)).toEqual(store.snapshot(10));
  });

  test('an index refers to the same function, stack and thread in every snapshot', () => {
    const store = new LiveStore(ORIGIN);
    store.append(second(0, 20, paths), 0n);
    const early = store.snapshot(null).profile;
    for (let at = 1; at < 200; at++)
      store.append(
        second(at, 20, (sample) => ['main', `new${at}`, ...paths(sample)]),
        0n,
      );
    const late = store.snapshot(10).profile;
    expect(late.functions.name.slice(0, early.functions.length)).toEqual(early.functions.name);
    expect(late.strings.slice(0, early.strings.length)).toEqual(early.strings);
    expect(late.stacks.parent.slice(0, early.stacks.length)).toEqual(early.stacks.parent);
    expect(late.threads.tid.slice(0, early.threads.length)).toEqual(early.threads.tid);
  });

  test('gives samples that arrive late to the bucket of their time', () => {
    const store = new LiveStore(ORIGIN);
    for (let at = 0; at < 300; at++) if (at !== 5) store.append(second(at, 10, paths), 0n);
    store.append(second(5, 10, paths), 0n);
    const { profile, samples } = store.snapshot(null);
    expect(samples).toBe(3000);
    const times = profile.samples.time!;
    expect(times.some((time) => time > 5e9 && time < 6e9)).toBe(true);
  });

  test('truncates stacks and merges threads beyond its limits without losing weight, and says so', () => {
    const store = new LiveStore(ORIGIN, undefined, { stacks: 50, functions: 60, threads: 1 });
    for (let at = 0; at < 20; at++)
      store.append(
        second(at, 50, (sample) => ['main', `f${at}-${sample}`]),
        0n,
      );
    const { profile } = store.snapshot(null);
    checkProfile(profile);
    expect(totals(profile)[1]).toBe(1000);
    expect(profile.stacks.length).toBe(50);
    expect(profile.diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['live-stacks-cut', 'live-functions-joined', 'live-threads-joined']),
    );
    expect(profile.strings).toContain('(other threads)');
    const stats = functionStats(buildStackView(profile));
    expect(stats.self.reduce((sum, self) => sum + self, 0)).toBe(1000 * 10_101_010);
  });

  test('starts again after a reset, with the same indices', () => {
    const store = new LiveStore(ORIGIN);
    store.append(second(0, 20, paths), 0n);
    const { functions } = store.snapshot(null).profile;
    store.reset();
    expect(store.snapshot(null)).toMatchObject({ samples: 0, range: null });
    checkProfile(store.snapshot(null).profile);
    store.append(second(9, 20, paths), 0n);
    expect(store.snapshot(null).samples).toBe(20);
    expect(store.snapshot(null).profile.functions.length).toBe(functions.length);
  });

  test('widens a window with too few samples, and narrows it again with clearly enough', () => {
    const store = new LiveStore(ORIGIN);
    const windows = new RollingWindows();
    const shown = (): RollingWindow => windows.choose(store, 10);
    expect(shown()).toEqual({ seconds: null, isWidened: true });
    for (let at = 0; at < 50; at++) store.append(second(at, 1, paths), 0n);
    expect(shown()).toEqual({ seconds: 60, isWidened: true });
    store.append(second(51, 30, paths), 0n);
    expect(shown()).toEqual({ seconds: 60, isWidened: true });
    store.append(second(52, 20, paths), 0n);
    expect(shown()).toEqual({ seconds: 10, isWidened: false });
    // 30 samples remain enough for a window that is not widened.
    for (let at = 53; at < 63; at++) store.append(second(at, 3, paths), 0n);
    expect(store.count(10)).toBeLessThan(45);
    expect(shown()).toEqual({ seconds: 10, isWidened: false });
  });

  test('keeps pieces that are sums over their time, exactly, also when they are old', () => {
    const store = new LiveStore(ORIGIN);
    const windows = 3000;
    for (let at = 0; at < windows; at++) {
      // Windows of 2 s, with 100 ms between them.
      const start = START + BigInt(at) * 2_100_000_000n;
      const rows = store.append(summed(7), 0n, { start, end: start + 2_000_000_000n });
      expect(rows.weight.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(70_000_000, 3);
    }
    const { profile, samples } = store.snapshot(null);
    checkProfile(profile);
    expect(samples).toBe(windows * 7);
    expect(totals(profile)).toEqual([windows * 7, windows * 70_000_000]);
    const last = store.snapshot(10);
    expect(last.samples).toBe(5 * 7);
    expect((last.range!.end - last.range!.start) / 1e9).toBeCloseTo(10.4, 6);
    expect(store.count(10)).toBe(5 * 7);
    expect(store.rowCount).toBeLessThan(1000);
    // Five windows of 2 s, of 20 bars each, with one bar between them.
    const bars = timeHistogram(last.profile, { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null }, 104)!;
    expect(bars.weight.reduce((sum, weight) => sum + weight, 0)).toBe(5 * 70_000_000);
    expect([...bars.weight].filter((weight) => Math.abs(weight - 3_500_000) < 1)).toHaveLength(100);
  });
});

/** A profile without times, in which 7 samples have two stacks. */
function summed(samples: number): Profile {
  const builder = new ProfileBuilder(2);
  const thread = builder.thread(7, 7, 'main');
  [samples - 2, 2].forEach((count, at) => {
    const stack = builder.stack(-1 as StackIndex, builder.frame({ func: builder.function({ name: `f${at}` }) }));
    builder.sample({ stack, thread }, count, count * 10_000_000);
  });
  return builder.finish(
    [
      { type: 'samples', unit: 'count', event: -1, column: 0 },
      { type: 'cpu', unit: 'nanoseconds', event: -1, column: 1 },
    ],
    { format: 'pprof', defaultValueType: 1 as ValueTypeIndex },
  );
}
