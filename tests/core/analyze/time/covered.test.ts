import { describe, expect, test } from 'vitest';
import { timeHistogram, timeSpan } from '#core/analyze/time/histogram.ts';
import { threadHistograms } from '#core/analyze/time/thread-histograms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

const EVERYTHING = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };

/** Sums of 2 s from 0 and of 1 s from 3 s, and a single sample at 4.5 s. */
function covering(...weights: readonly number[]): Profile {
  const profile = profileFromText(weights.map((weight, at) => `main;f${at} ${weight}`).join('\n'));
  const at = (first: number, second: number, last: number): Float64Array =>
    Float64Array.from(weights, (_, row) =>
      row === weights.length - 1 ? last : row === weights.length - 2 ? second : first,
    );
  const samples = { ...profile.samples, time: at(1e9, 3.5e9, 4.5e9), duration: at(2e9, 1e9, 0) };
  return { ...profile, samples };
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, one) => sum + one, 0);

describe('samples that cover a time', () => {
  test('are spread over it, each bar as high as the next', () => {
    const profile = covering(6, 10, 4, 1);
    expect(timeSpan(profile)).toMatchObject({ start: 0 });
    const bars = timeHistogram(profile, { ...EVERYTHING, timeRange: { start: 0, end: 5e9 } }, 10)!;
    expect([...bars.weight]).toEqual([4, 4, 4, 4, 0, 0, 2, 2, 0, 1]);
    expect(sumOf(bars.sampleCount)).toBe(21);
  });

  test('keep their sums exactly in any number of bars, however large', () => {
    const weights = [1, 7, 333, 2 ** 40 + 1, 123_456_789_012, 1];
    for (const columns of [1, 3, 7, 319, 320]) {
      const bars = timeHistogram(covering(...weights), EVERYTHING, columns)!;
      expect(sumOf(bars.weight)).toBe(sumOf(weights));
      expect(sumOf(bars.sampleCount)).toBe(sumOf(weights));
    }
  });

  test('are drawn in a part of their time with that part', () => {
    const bars = timeHistogram(covering(16, 4, 1), { ...EVERYTHING, timeRange: { start: 0.5e9, end: 1e9 } }, 2)!;
    expect([...bars.weight]).toEqual([2, 2]);
    const shown = Float64Array.of(8, 4, 1);
    const within = { ...EVERYTHING, timeRange: { start: 1.5e9, end: 3.5e9 } };
    expect([...timeHistogram(covering(16, 4, 1), within, 4, shown)!.weight]).toEqual([2, 0, 0, 2]);
  });

  test('have the same part in a selected range as in its bars', () => {
    const profile = covering(16, 4, 1);
    const range = { ...EVERYTHING, timeRange: { start: 1.5e9, end: 3.25e9 } };
    expect(buildStackView(profile, range).total).toBe(5);
    expect(sumOf(timeHistogram(profile, range, 7)!.weight)).toBe(5);
    expect(threadHistograms(profile, { ...range, threads: [0 as ThreadIndex] }, 7, 1)!.maxWeight).toBe(2);
  });
});
