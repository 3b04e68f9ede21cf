import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownWeights } from '#core/analyze/tables/stack-weights.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { subsecondHeatmap } from '#core/analyze/time/subsecond-heatmap.ts';
import { threadHistograms } from '#core/analyze/time/thread-histograms.ts';
import { rangeOfCells } from '#core/analyze/time/grid.ts';
import { timeHistogram } from '#core/analyze/time/histogram.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { FunctionIndex, ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sum } from '../../support/naive-analysis.ts';
import {
  functionNamed,
  profileFromSketch,
  sketches,
  resolved,
  type FunctionTransform,
} from '../../support/sketch-profile.ts';

const selection: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

test('gives weight 0 to samples that a transform hides', () => {
  const profile = profileFromSketch([
    { stack: ['a', 'b'], weight: 1, time: 0 },
    { stack: ['a'], weight: 2, time: 10, tid: 2 },
    { stack: [], weight: 4, time: 20 },
    { stack: ['b'], weight: 8, time: null },
  ]);
  const hide = resolved(profile, [{ kind: 'hide', func: functionNamed(profile, 'b') }]);
  expect([...shownWeights(profile, selection, hide)]).toEqual([0, 2, 4, 0]);
  const focus = resolved(profile, [{ kind: 'focus', func: functionNamed(profile, 'b') }]);
  expect([...shownWeights(profile, selection, focus)]).toEqual([1, 0, 0, 8]);
  const thread = { ...selection, threads: [1 as ThreadIndex] };
  expect([...shownWeights(profile, thread, null)]).toEqual([0, 2, 0, 0]);
});

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('focus', 'hide', 'merge', 'collapse-recursion'),
    func: fc.nat(4).map((func) => func as FunctionIndex),
  }),
  { maxLength: 3 },
);

const transformsOf = (profile: Profile, sketch: readonly FunctionTransform[]) =>
  resolved(
    profile,
    sketch.filter(({ func }) => func < profile.functions.length),
  );

test('gives any range of buckets, thread rows or cells the weight of the views of that range', () => {
  fc.assert(
    fc.property(sketches, steps, fc.nat(9), fc.nat(9), (samples, sketch, one, other) => {
      const profile = profileFromSketch(samples);
      const transforms = transformsOf(profile, sketch);
      const shown = shownWeights(profile, selection, transforms);
      expect(sum(shown)).toBe(buildStackView(profile, selection, transforms).total);

      const histogram = timeHistogram(profile, selection, 10, shown);
      if (histogram === null) return;
      const range = rangeOfCells(histogram, one, other);
      const inRange = buildStackView(profile, { ...selection, timeRange: range }, transforms);
      const buckets = histogram.weight.slice(Math.min(one, other), Math.max(one, other) + 1);
      expect(sum(buckets)).toBe(inRange.total);

      const zoomed = { ...selection, timeRange: range };
      expect(sum(timeHistogram(profile, zoomed, 3, shown)!.weight)).toBe(inRange.total);
      const rows = threadHistograms(profile, zoomed, 3, 10, shown)!;
      expect(sum(rows.threads.map(({ total }) => total))).toBe(inRange.total);
      expect(sum(subsecondHeatmap(profile, zoomed, { shown })!.weight)).toBe(inRange.total);
    }),
  );
});

test('includes the parts of a heat map’s whole columns outside the range', () => {
  const profile = profileFromSketch([
    { stack: ['a'], weight: 1, time: 0 },
    { stack: ['a'], weight: 2, time: 1.5e9 },
    { stack: ['a'], weight: 4, time: 1.9e9 },
    { stack: ['a'], weight: 8, time: 2e9 },
  ]);
  const zoomed = { ...selection, timeRange: { start: 1.8e9, end: 1.95e9 } };
  expect(subsecondHeatmap(profile, zoomed)).toMatchObject({ columns: 1, start: 1e9, maxWeight: 4 });
  const whole = subsecondHeatmap(profile, zoomed, { wholeColumns: true })!;
  expect(whole).toMatchObject({ columns: 1, start: 1e9, end: 2e9 });
  expect(sum(whole.weight)).toBe(6);
});
