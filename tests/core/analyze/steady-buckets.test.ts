import { expect, test } from 'vitest';
import { steadyBuckets } from '#core/analyze/time/steady-buckets.ts';
import { timeHistogram, timeSpan } from '#core/analyze/time/histogram.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromSketch } from '../../support/sketch-profile.ts';

const at = (profile: Profile, rateHz: number | null): Profile => ({
  ...profile,
  metadata: { ...profile.metadata, rateHz },
});
const none = profileFromSketch([]);
const seconds = (end: number) => ({ start: 0, end: end * 1e9 });

test.each([20e6, 20.6e6, 19.2e6])('fills buckets evenly for a thread that keeps running, %d ns apart', (apart) => {
  const samples = Array.from({ length: 420 }, (_, place) => ({ stack: ['a'], weight: 1, time: place * apart }));
  const profile = at(profileFromSketch(samples), 50);
  const everything: Selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };
  const buckets = steadyBuckets(profile, timeSpan(profile)!, 320);
  const { weight } = timeHistogram(profile, everything, buckets)!;
  expect(buckets).toBe(210);
  expect(weight.filter((one) => one !== 2).length).toBeLessThanOrEqual(2);
});

test('returns the maximum if the rate is unknown, or buckets hold many samples or hardly any', () => {
  expect(steadyBuckets(at(none, null), seconds(8), 320)).toBe(320);
  expect(steadyBuckets(at(none, 0), seconds(8), 320)).toBe(320);
  expect(steadyBuckets(at(none, 4000), seconds(8), 320)).toBe(320);
  expect(steadyBuckets(at(none, 50), seconds(1), 320)).toBe(320);
  expect(steadyBuckets(at(none, 50), seconds(1e-9), 320)).toBe(320);
});

test('never exceeds the maximum, and returns at least one', () => {
  for (const length of [0.1, 1, 3.3, 8.4, 59, 61.7]) {
    for (const most of [1, 2, 200, 320]) {
      const buckets = steadyBuckets(at(none, 99), seconds(length), most);
      expect(buckets).toBeGreaterThanOrEqual(1);
      expect(buckets).toBeLessThanOrEqual(most);
    }
  }
});
