import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupHistograms, NO_GROUP } from '#core/analyze/time/group-histograms.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { timeHistogram } from '#core/analyze/time/histogram.ts';
import { viewSamples } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { functionNamed, profileFromSketch, sketches } from '../../support/sketch-profile.ts';

const everything: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

test('weighs each stack in the group of the function in which it ends', () => {
  const profile = profileFromSketch([
    { stack: ['main', 'read'], weight: 1, time: 0 },
    { stack: ['main', 'parse'], weight: 2, time: 10 },
    { stack: ['main', 'read'], weight: 4, time: 90 },
    { stack: ['main'], weight: 8, time: 99 },
    { stack: [], weight: 16, time: 99 },
    { stack: ['main', 'read'], weight: 32, time: null },
  ]);
  const ofFunction = new Uint8Array(profile.functions.length).fill(NO_GROUP);
  ofFunction[functionNamed(profile, 'read')] = 0;
  ofFunction[functionNamed(profile, 'main')] = 1;
  const placed = viewSamples(profile, everything);
  const found = (span: { start: number; end: number } | null) =>
    groupHistograms(profile, placed, placed.weights, span, 2, { ofFunction, count: 2 });
  expect(found(null)).toMatchObject({ start: 0, end: 100, columns: 2 });
  expect(found(null)!.weights.map((weights) => [...weights])).toEqual([
    [1, 4],
    [0, 8],
  ]);
  expect(found({ start: 0, end: 20 })!.weights.map((weights) => [...weights])).toEqual([
    [1, 0],
    [0, 0],
  ]);
});

test('sums the groups of all functions up to the histogram, except for samples without a stack', () => {
  fc.assert(
    fc.property(sketches, fc.integer({ min: 1, max: 20 }), (samples, buckets) => {
      const profile = profileFromSketch(samples.filter(({ stack }) => stack.length > 0));
      const placed = viewSamples(profile, everything);
      const ofFunction = Uint8Array.from(profile.functions.name, (_, func) => func % 3);
      const groups = groupHistograms(profile, placed, placed.weights, null, buckets, { ofFunction, count: 3 });
      const whole = timeHistogram(profile, everything, buckets);
      expect(groups === null).toBe(whole === null);
      const sums = [...(whole?.weight ?? [])].map((_, bucket) =>
        groups!.weights.reduce((sum, weights) => sum + weights[bucket]!, 0),
      );
      expect(sums).toEqual([...(whole?.weight ?? [])]);
    }),
  );
});
