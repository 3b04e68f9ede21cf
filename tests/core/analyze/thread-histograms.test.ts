import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { threadHistograms } from '#core/analyze/time/thread-histograms.ts';
import { timeHistogram } from '#core/analyze/time/histogram.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { sum } from '../../support/naive-analysis.ts';
import { profileFromSketch, sketches } from '../../support/sketch-profile.ts';

const selection: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

describe('threadHistograms', () => {
  const profile = profileFromSketch([
    { stack: ['a'], weight: 1, time: 0, tid: 1 },
    { stack: ['a'], weight: 2, time: 99, tid: 1 },
    { stack: ['a'], weight: 8, time: 10, tid: 2 },
    { stack: ['a'], weight: 3, time: 60, tid: 3 },
    { stack: [], weight: 2, time: 60, tid: 4 },
    { stack: [], weight: 64, time: null, tid: 4 },
    { stack: ['a'], weight: 0, time: 60, tid: 5 },
  ]);

  test('lists the heaviest threads first, ties by samples, and combines the rest', () => {
    const found = threadHistograms(profile, selection, 2, 2)!;
    expect(found).toMatchObject({ start: 0, end: 100, columns: 2, rows: 1, maxWeight: 8, withoutTime: 1 });
    expect(found.threads).toEqual([
      {
        thread: 1,
        threadCount: 1,
        weight: Float64Array.of(8, 0),
        samples: Float64Array.of(1, 0),
        total: 8,
        sampleCount: 1,
      },
      {
        thread: 0,
        threadCount: 1,
        weight: Float64Array.of(1, 2),
        samples: Float64Array.of(1, 1),
        total: 3,
        sampleCount: 2,
      },
    ]);
    expect(found.rest).toEqual({
      threadCount: 2,
      weight: Float64Array.of(0, 5),
      samples: Float64Array.of(0, 2),
      total: 5,
      sampleCount: 2,
    });
  });

  test('has no rest if all threads are shown; a range excludes threads', () => {
    const found = threadHistograms(profile, { ...selection, timeRange: { start: 0, end: 50 } }, 5, 10)!;
    expect(found.threads.map(({ thread }) => thread)).toEqual([1, 0]);
    expect(found.rest).toBe(null);
    expect(found).toMatchObject({ start: 0, end: 50 });
  });

  test('is null if no sample has a time', () => {
    expect(threadHistograms(profileFromSketch([{ stack: ['a'], weight: 1 }]), selection, 10, 3)).toBe(null);
  });

  test('makes each row the histogram of its thread; the rows sum up to that of all', () => {
    fc.assert(
      fc.property(sketches, fc.integer({ min: 1, max: 20 }), fc.nat(4), (samples, buckets, maxThreads) => {
        const profile = profileFromSketch(samples);
        const found = threadHistograms(profile, selection, buckets, maxThreads);
        const all = timeHistogram(profile, selection, buckets);
        expect(found === null).toBe(all === null);
        if (found === null || all === null) return;
        for (const { thread, weight, samples: counts, total, sampleCount } of found.threads) {
          const own = timeHistogram(profile, { ...selection, threads: [thread] }, buckets)!;
          expect(weight).toEqual(own.weight);
          expect(counts).toEqual(own.sampleCount);
          expect(total).toBe(sum(own.weight));
          expect(sampleCount).toBe(sum(own.sampleCount));
        }
        const rows = [...found.threads, ...(found.rest === null ? [] : [found.rest])];
        expect(Array.from(all.weight, (_, bucket) => sum(rows.map(({ weight }) => weight[bucket]!)))).toEqual([
          ...all.weight,
        ]);
        expect(sum(rows.map(({ sampleCount }) => sampleCount))).toBe(sum(all.sampleCount));
        const totals = found.threads.map(({ total }) => total);
        expect(totals).toEqual(totals.toSorted((a, b) => b - a));
        expect(found.maxWeight).toBe(Math.max(0, ...found.threads.flatMap(({ weight }) => [...weight])));
      }),
    );
  });
});
