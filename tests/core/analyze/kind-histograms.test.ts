import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindHistograms } from '#core/analyze/time/kind-histograms.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { threadHistograms } from '#core/analyze/time/thread-histograms.ts';
import { viewSamples } from '#core/analyze/view/build-stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, sketches } from '../../support/sketch-profile.ts';

const everything: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

test('weighs stacks by the kind of code in which they end, for the requested threads', () => {
  const profile = profileFromSketch([
    { stack: ['main', 'runtime.mallocgc'], weight: 1, time: 0, tid: 1 },
    { stack: ['runtime.mallocgc', 'main'], weight: 2, time: 10, tid: 1 },
    { stack: ['main', 'runtime.mallocgc'], weight: 4, time: 90, tid: 2 },
    { stack: ['main'], weight: 8, time: 99, tid: 2 },
    { stack: [], weight: 16, time: 99, tid: 2 },
    { stack: ['main'], weight: 32, time: null, tid: 2 },
    { stack: ['main'], weight: 64, time: 50, tid: 3 },
  ]);
  const placed = viewSamples(profile, everything);
  const found = (span: { start: number; end: number } | null) =>
    kindHistograms(profile, placed, span, 2, [1 as ThreadIndex, 0 as ThreadIndex])!.threads.map(({ thread, kinds }) => [
      thread,
      ...kinds.map(({ kind, weight }) => `${kind} ${[...weight].join(' ')}`),
    ]);
  expect(found(null)).toEqual([
    [1, 'go-runtime 0 4', 'other 0 8'],
    [0, 'go-runtime 1 0', 'other 2 0'],
  ]);
  expect(found({ start: 0, end: 10 })).toEqual([[1], [0, 'go-runtime 1 0']]);
});

test('sums the kinds of a thread up to it, except for samples without a stack', () => {
  fc.assert(
    fc.property(sketches, fc.integer({ min: 1, max: 20 }), (samples, buckets) => {
      const profile = profileFromSketch(samples.filter(({ stack }) => stack.length > 0));
      const threads = threadHistograms(profile, everything, buckets, 99);
      const asked = threads?.threads.map(({ thread }) => thread) ?? [];
      const found = kindHistograms(profile, viewSamples(profile, everything), null, buckets, asked);
      expect(found === null).toBe(threads === null);
      for (const [place, { weight }] of (threads?.threads ?? []).entries()) {
        const { kinds } = found!.threads[place]!;
        const sums = [...weight].map((_, bucket) => kinds.reduce((sum, kind) => sum + kind.weight[bucket]!, 0));
        expect(sums).toEqual([...weight]);
      }
    }),
  );
});
