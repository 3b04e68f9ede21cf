import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { timeHistogram } from '#core/analyze/time/histogram.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { sum } from '../../../support/naive-analysis.ts';
import { profileFromSketch, sketches } from '../../../support/sketch-profile.ts';

const selection: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

describe('timeHistogram', () => {
  test('puts weights into equal buckets, and the last sample into the last bucket', () => {
    const profile = profileFromSketch([
      { stack: ['a'], weight: 1, time: 0 },
      { stack: ['a'], weight: 2, time: 49 },
      { stack: ['a'], weight: 4, time: 50, tid: 2 },
      { stack: [], weight: 8, time: 99 },
      { stack: ['a'], weight: 16, time: null },
    ]);
    const histogram = timeHistogram(profile, selection, 2)!;
    expect(histogram).toMatchObject({ start: 0, end: 100, withoutTime: 1 });
    expect([...histogram.weight]).toEqual([3, 12]);
    expect([...histogram.sampleCount]).toEqual([2, 2]);
    const oneThread = timeHistogram(profile, { ...selection, threads: [1 as ThreadIndex] }, 2)!;
    expect(oneThread).toMatchObject({ start: 0, end: 100 });
    expect([...oneThread.weight]).toEqual([0, 4]);
  });

  test('is null if no sample has a time', () => {
    expect(timeHistogram(profileFromSketch([{ stack: ['a'], weight: 1 }]), selection, 10)).toBe(null);
  });

  test('has the weight of the view of the same range', () => {
    fc.assert(
      fc.property(sketches, fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 50 }), (samples, start, length, n) => {
        const profile = profileFromSketch(samples);
        const ranged = { ...selection, timeRange: { start, end: start + length } };
        const histogram = timeHistogram(profile, ranged, n);
        const view = buildStackView(profile, ranged);
        expect(histogram === null ? 0 : sum(histogram.weight)).toBe(view.total);
        if (histogram !== null) expect(histogram.withoutTime).toBe(view.withoutTime);
      }),
    );
  });
});
