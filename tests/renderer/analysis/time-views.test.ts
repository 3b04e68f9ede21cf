import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { rangeOfCells } from '#core/analyze/time/grid.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import type { FunctionIndex, ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { createTimeViews } from '../../../renderer/analysis/profile/time-views.ts';
import type { TimeSubject } from '../../../renderer/analysis/profile/time-views.ts';
import { sum } from '../../support/naive-analysis.ts';
import { functionNamed, profileFromSketch, sketches } from '../../support/sketch-profile.ts';
import { patternsInPlace } from './patterns-in-place.ts';

const everything: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

async function subjectOf(
  profile: Profile,
  selection: Selection = everything,
  hidden: readonly string[] = [],
): Promise<TimeSubject> {
  const named = hidden.map((name): NamedTransform => {
    const func = functionRef(profile, functionNamed(profile, name));
    return { enabled: true, kind: 'hide', on: { by: 'function', func } };
  });
  const resolved = await resolveTransforms(profile, named, patternsInPlace.ofTransforms);
  return { profile, selection, resolved, transformsKey: JSON.stringify(named) };
}

const profile = profileFromSketch([
  { stack: ['a', 'b'], weight: 1, time: 0, tid: 1 },
  { stack: ['a'], weight: 2, time: 99, tid: 1 },
  { stack: ['a'], weight: 4, time: 10, tid: 2 },
  { stack: ['b'], weight: 8, time: 60, tid: 3 },
  { stack: ['a'], weight: 64, time: null, tid: 1 },
]);
const views = createTimeViews(profile);

test('rows that sum many samples count as these', async () => {
  const sketched = profileFromSketch([
    { stack: ['a'], weight: 300, time: 0, tid: 1 },
    { stack: ['b'], weight: 20, time: 99, tid: 2 },
  ]);
  const summed = { ...sketched, valueTypes: [{ type: 'samples', unit: 'count', event: -1, column: 0 }] };
  const subject = await subjectOf(summed, { ...everything, valueType: 0 as ValueTypeIndex });
  const drawn = createTimeViews(summed);
  expect(drawn.withoutRange(subject)).toEqual({ total: 320, sampleCount: 320 });
  expect([...drawn.strip(subject, null, 2)!.sampleCount]).toEqual([300, 20]);
  expect(sum(drawn.heatMap(subject, null, 9)!.sampleCount)).toBe(320);
  const threads = drawn.threads(subject, null, 2)!.rows;
  expect(threads.map(({ sampleCount, samples }) => [sampleCount, ...samples!])).toEqual([
    [300, 300, 0],
    [20, 0, 20],
  ]);
});

test('bars of a function equal its samples’ weight, with transforms and selected threads', async () => {
  const bars = async (
    name: string,
    ...subject: Parameters<typeof subjectOf> extends [unknown, ...infer T] ? T : never
  ) => {
    const drawn = views.functionBars(await subjectOf(profile, ...subject), null, 2, functionNamed(profile, name))!;
    expect(drawn).toMatchObject({ start: 0, end: 100, columns: 2 });
    return [...drawn.weight];
  };
  expect(await bars('a')).toEqual([5, 2]);
  expect(await bars('b')).toEqual([1, 8]);
  expect(await bars('b', { ...everything, threads: [2 as ThreadIndex] })).toEqual([0, 8]);
  expect(await bars('b', everything, ['a'])).toEqual([0, 8]);
});

test('a function’s bars sum up to its total in the view, for any samples', async () => {
  await fc.assert(
    fc.asyncProperty(sketches, async (samples) => {
      const sketched = profileFromSketch(samples.map((one, at) => ({ ...one, time: at })));
      const subject = await subjectOf(sketched);
      const stats = functionStats(buildStackView(sketched, everything));
      for (let row = 0; row < stats.length; row++) {
        const drawn = createTimeViews(sketched).functionBars(subject, null, 7, stats.func[row] as FunctionIndex)!;
        expect(sum(drawn.weight)).toBeCloseTo(stats.total[row]!, 9);
      }
    }),
    { numRuns: 40 },
  );
});

describe('strip', () => {
  test('follows threads and transforms, and includes what these hide', async () => {
    const plain = views.strip(await subjectOf(profile), null, 2)!;
    expect(plain).toMatchObject({ start: 0, end: 100, whole: { start: 0, end: 100 }, hidden: null, withoutTime: 1 });
    expect([...plain.weight]).toEqual([5, 10]);
    const without = views.strip(await subjectOf(profile, everything, ['b']), null, 2)!;
    expect([...without.weight]).toEqual([4, 2]);
    expect([...without.hidden!]).toEqual([1, 8]);
    expect([...without.sampleCount]).toEqual([1, 1]);
    const first = { ...everything, threads: [0 as ThreadIndex] };
    const ofFirst = views.strip(await subjectOf(profile, first, ['b']), null, 2)!;
    expect([...ofFirst.weight]).toEqual([0, 2]);
    expect([...ofFirst.hidden!]).toEqual([1, 0]);
  });

  test('keeps the whole in a part of time, independent of the selected range', async () => {
    const ranged = { ...everything, timeRange: { start: 0, end: 1 } };
    const part = views.strip(await subjectOf(profile, ranged), { start: 50, end: 100 }, 2)!;
    expect(part).toMatchObject({ start: 50, end: 100, whole: { start: 0, end: 100 } });
    expect([...part.weight]).toEqual([8, 2]);
    expect(views.withoutRange(await subjectOf(profile, ranged))).toEqual({ total: 79, sampleCount: 5 });
  });
});

describe('threads', () => {
  test('lists all threads, whichever are selected, by weight over the whole time', async () => {
    const chosen = { ...everything, threads: [0 as ThreadIndex], timeRange: { start: 0, end: 1 } };
    const all = views.threads(await subjectOf(profile, chosen), null, 2)!;
    expect(all).toMatchObject({ maxWeight: 8, total: 15, more: 0 });
    expect(all.rows.map(({ thread, total, weight }) => [thread, total, [...weight!]])).toEqual([
      [2, 8, [0, 8]],
      [1, 4, [4, 0]],
      [0, 3, [1, 2]],
    ]);
    const zoomed = views.threads(await subjectOf(profile), { start: 50, end: 100 }, 1)!;
    expect(zoomed.rows.map(({ thread, total, weight }) => [thread, total, weight && [...weight]])).toEqual([
      [2, 8, [8]],
      [1, 4, null],
      [0, 3, [2]],
    ]);
  });

  test('counts the lightest threads beyond the limit', async () => {
    const samples = Array.from({ length: 4100 }, (_, at) => ({ stack: ['a'], weight: at + 1, time: at, tid: at + 1 }));
    const many = createTimeViews(profileFromSketch(samples));
    const found = many.threads(await subjectOf(profileFromSketch(samples)), null, 1)!;
    expect([found.rows.length, found.more, found.rows[0]!.total]).toEqual([4096, 4, 4100]);
    expect(found.total).toBe((4100 * 4101) / 2);
    const buffers = found.rows.flatMap(({ weight, samples: counts }) => [weight!.buffer, counts!.buffer]);
    expect(new Set(buffers).size).toBe(2);
  });
});

test('a heat map of a part has whole columns', async () => {
  const seconds = profileFromSketch([0, 0.5, 1.5, 1.9, 2].map((at) => ({ stack: ['a'], weight: 1, time: at * 1e9 })));
  const map = createTimeViews(seconds).heatMap(await subjectOf(seconds), { start: 1.8e9, end: 1.95e9 }, 400)!;
  expect(map).toMatchObject({ start: 1e9, end: 2e9, columns: 1, columnNs: 1e9, maxWeight: 1 });
  expect(sum(map.weight)).toBe(2);
});

test('returns null without timestamps', async () => {
  const timeless = profileFromSketch([{ stack: ['a'], weight: 1 }]);
  const subject = await subjectOf(timeless);
  const none = createTimeViews(timeless);
  expect([none.strip(subject, null, 3), none.threads(subject, null, 3), none.heatMap(subject, null, 9)]).toEqual([
    null,
    null,
    null,
  ]);
});

test('the weight drawn in a range equals the analysis of that range', async () => {
  await fc.assert(
    fc.asyncProperty(sketches, fc.nat(9), fc.nat(9), fc.boolean(), async (samples, one, other, hide) => {
      const sketched = profileFromSketch(samples);
      const hidden = hide && samples.some(({ stack }) => stack.includes('a')) ? ['a'] : [];
      const threads = sketched.threads.length > 1 ? [1 as ThreadIndex] : null;
      const subject = await subjectOf(sketched, { ...everything, threads }, hidden);
      const drawn = createTimeViews(sketched).strip(subject, null, 10);
      if (drawn === null) return;
      const timeRange = rangeOfCells(drawn, one, other);
      const view = buildStackView(sketched, { ...subject.selection, timeRange }, subject.resolved);
      const [first, end] = [Math.min(one, other), Math.max(one, other) + 1];
      expect(sum(drawn.weight.slice(first, end))).toBe(view.total);
      expect(sum((drawn.hidden ?? new Float64Array(10)).slice(first, end))).toBe(view.hidden);
      expect(sum(drawn.sampleCount.slice(first, end))).toBe(view.sampleCount);
      expect(drawn.withoutTime === 0 || view.hidden > 0 || drawn.withoutTime === view.withoutTime).toBe(true);
    }),
  );
});
