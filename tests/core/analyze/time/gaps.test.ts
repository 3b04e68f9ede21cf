import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeGaps } from '#core/analyze/time/gaps.ts';
import { profileFromSketch, sketches } from '../../../support/sketch-profile.ts';

const steady = (from: number, samples: number) =>
  Array.from({ length: samples }, (_, at) => ({ stack: ['a'], weight: 1, time: from + at * 10, tid: (at % 3) + 1 }));

test('finds intervals in which no thread has a sample, in the order of time', () => {
  const profile = profileFromSketch([...steady(20_000, 100), ...steady(0, 100), ...steady(50_000, 10)]);
  expect(timeGaps(profile)).toEqual([
    { start: 991, end: 20_000 },
    { start: 20_991, end: 50_000 },
  ]);
});

test('finds none in a steady capture, in one sample, or without times', () => {
  expect(timeGaps(profileFromSketch(steady(0, 1000)))).toEqual([]);
  expect(timeGaps(profileFromSketch(steady(0, 1)))).toEqual([]);
  expect(timeGaps(profileFromSketch([{ stack: ['a'], weight: 1 }]))).toEqual([]);
  expect(timeGaps(profileFromSketch([]))).toEqual([]);
});

test('ignores simultaneous samples', () => {
  const burst = Array.from({ length: 50 }, () => ({ stack: ['a'], weight: 1, time: 0 }));
  expect(timeGaps(profileFromSketch([...burst, ...steady(10, 20)]))).toEqual([]);
});

test('ignores the interval between ticks of a timer that samples all processors, but finds missed ticks', () => {
  const tick = (at: number) =>
    Array.from({ length: 8 }, (_, cpu) => ({
      stack: ['a'],
      weight: 1,
      time: at * 10_000 + cpu,
      tid: cpu + 1,
    }));
  const ticks = Array.from({ length: 20 }, (_, at) => tick(at)).flat();
  expect(timeGaps(profileFromSketch(ticks))).toEqual([]);
  expect(timeGaps(profileFromSketch([...ticks, ...tick(60)]))).toEqual([{ start: 190_008, end: 600_000 }]);
});

test('contains no sample in a gap', () => {
  fc.assert(
    fc.property(sketches, (samples) => {
      const spread = samples.map((sample) => ({ ...sample, time: (sample.time ?? 0) ** 3 }));
      for (const { start, end } of timeGaps(profileFromSketch(spread))) {
        expect(spread.filter(({ time }) => time >= start && time < end)).toEqual([]);
      }
    }),
  );
});
