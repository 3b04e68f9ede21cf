import { expect, test } from 'vitest';
import type { ThreadIndex } from '#core/model/brand.ts';
import { threadBeside } from '../../../../renderer/features/profile/view-commands.ts';

const threads = [5, 9, 1].map((samples, tid) => ({ name: 'worker', pid: 1, tid, samples }));
const beside = (chosen: readonly number[] | null, by: 1 | -1) =>
  threadBeside(threads, chosen as readonly ThreadIndex[] | null, by);

test('cycles by number of samples, through all threads', () => {
  expect(beside(null, 1)).toEqual([1]);
  expect(beside([1], 1)).toEqual([0]);
  expect(beside([0, 2], 1)).toEqual([2]);
  expect(beside([2], 1)).toBeNull();
  expect(beside(null, -1)).toEqual([2]);
  expect(beside([1], -1)).toBeNull();
});
