import { expect, test } from 'vitest';
import type { ThreadIndex } from '#core/model/brand.ts';
import { otherThreads, withoutThread } from '../../../renderer/state/thread-choices.ts';

const threads = [5, 9, 1].map((samples, tid) => ({ name: 'worker', pid: 1, tid, samples }));
const rows = (...chosen: number[]): readonly ThreadIndex[] => chosen as ThreadIndex[];
const [first, second] = rows(0, 1) as [ThreadIndex, ThreadIndex];

test('removes a thread from all, or from the selected ones', () => {
  expect(withoutThread(threads, null, second)).toEqual([0, 2]);
  expect(withoutThread(threads, rows(0, 1), second)).toEqual([0]);
});

test('selects all if none would be left', () => {
  expect(withoutThread(threads, rows(0), first)).toBeNull();
  expect(withoutThread(threads.slice(0, 1), null, first)).toBeNull();
  expect(otherThreads(threads, rows(0, 1, 2))).toBeNull();
});

test('selects the other threads instead', () => {
  expect(otherThreads(threads, rows(1))).toEqual([0, 2]);
});
