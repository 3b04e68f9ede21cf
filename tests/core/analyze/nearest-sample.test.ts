import { expect, test } from 'vitest';
import { nearestSample, nearestStack } from '#core/analyze/time/nearest-sample.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { viewSamples } from '#core/analyze/view/build-stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { functionNamed, profileFromSketch, resolved, type FunctionTransform } from '../../support/sketch-profile.ts';

const everything: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };
const profile = profileFromSketch([
  { stack: ['main', 'read'], weight: 1, time: 10, tid: 1 },
  { stack: ['main', 'parse', 'read'], weight: 2, time: 20, tid: 1 },
  { stack: ['other'], weight: 4, time: 15, tid: 2 },
  { stack: [], weight: 8, time: 30, tid: 1 },
  { stack: ['main'], weight: 0, time: 40, tid: 1 },
  { stack: ['main'], weight: 16, time: null, tid: 1 },
]);

function at(time: number, span = { start: 0, end: 100 }, transforms: FunctionTransform[] = []): unknown {
  const placed = viewSamples(profile, everything, resolved(profile, transforms));
  const found = nearestSample(profile, placed, { threads: [0 as ThreadIndex], time, span }, 2);
  if (found === null) return null;
  const { strings, functions } = placed.view.profile;
  const names = Array.from(found.funcs, (func) => strings[functions.name[func]!]!);
  return [found.time, found.weight, names.join(' '), found.depth];
}

test('finds the nearest sample of the thread, with its stack leaf first and truncated', () => {
  expect(at(11)).toEqual([10, 1, 'read main', 2]);
  expect(at(19)).toEqual([20, 2, 'read parse', 3]);
  expect(at(28)).toEqual([30, 8, '', 0]);
  // The earlier of two samples at the same distance wins; samples with weight 0 are ignored.
  expect(at(15)).toEqual([10, 1, 'read main', 2]);
  expect(at(41)).toEqual([30, 8, '', 0]);
});

test('searches only within the span, and only what transforms leave', () => {
  expect(at(11, { start: 15, end: 20 })).toBeNull();
  expect(at(11, { start: 15, end: 21 })).toEqual([20, 2, 'read parse', 3]);
  expect(at(19, undefined, [{ kind: 'hide', func: functionNamed(profile, 'parse') }])).toEqual([10, 1, 'read main', 2]);
  expect(at(19, undefined, [{ kind: 'merge', func: functionNamed(profile, 'read') }])).toEqual([
    20,
    2,
    'parse main',
    2,
  ]);
});

test('searches several threads or all, returns the whole stack, and nothing if no sample is near', () => {
  const placed = viewSamples(profile, everything);
  const { strings, functions } = placed.view.profile;
  const stack = (threads: readonly number[] | null, time: number, end = 100): string => {
    const moment = { threads: threads as readonly ThreadIndex[] | null, time, span: { start: 0, end } };
    return Array.from(nearestStack(profile, placed, moment), (func) => strings[functions.name[func]!]!).join(' ');
  };
  expect(stack(null, 16)).toBe('other');
  expect(stack([0, 1], 16)).toBe('other');
  expect(stack([0], 16)).toBe('read parse main');
  expect(stack(null, 29)).toBe('');
  expect(stack(null, 5, 6)).toBe('');
});
