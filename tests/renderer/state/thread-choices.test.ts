import { expect, test } from 'vitest';
import type { ThreadIndex } from '#core/model/brand.ts';
import { otherThreads, withoutThread } from '../../../renderer/state/thread-choices.ts';

const threads = [5, 9, 1].map((samples, tid) => ({ name: 'worker', pid: 1, tid, samples }));
const rows = (...chosen: number[]): readonly ThreadIndex[] => chosen as ThreadIndex[];
const [first, second] = rows(0, 1) as [ThreadIndex, ThreadIndex];

test('a thread is left out of all, or of those that are chosen', () => {
  expect(withoutThread(threads, null, second)).toEqual([0, 2]);
  expect(withoutThread(threads, rows(0, 1), second)).toEqual([0]);
});

test('what would leave none is all of them', () => {
  expect(withoutThread(threads, rows(0), first)).toBeNull();
  expect(withoutThread(threads.slice(0, 1), null, first)).toBeNull();
  expect(otherThreads(threads, rows(0, 1, 2))).toBeNull();
});

test('the others take the place of those that were chosen', () => {
  expect(otherThreads(threads, rows(1))).toEqual([0, 2]);
});
