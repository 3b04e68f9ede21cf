import { expect, test } from 'vitest';
import type { ThreadTimes } from '#core/analyze/time/strip.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import { inOrder, inPlace } from '../../../../renderer/features/time/thread-order.ts';

const rows = (...threads: number[]) => threads.map((thread) => ({ thread: thread as ThreadIndex }) as ThreadTimes);
const numbers = (ordered: readonly ThreadTimes[]) => ordered.map(({ thread }) => Number(thread));

test('threads by name follow the numbers in it', () => {
  const named = ['io-10', 'io-9', 'main'].map((name, tid) => ({ name, tid }));
  expect(numbers(inOrder(rows(2, 0, 1), 'name', named))).toEqual([1, 0, 2]);
  expect(numbers(inOrder(rows(2, 0, 1), 'weight', named))).toEqual([2, 0, 1]);
});

test('threads under the pointer keep their places in a newer order; new ones come last', () => {
  const places = [4, 2, 7] as ThreadIndex[];
  expect(numbers(inPlace(rows(9, 7, 2, 4, 8), places))).toEqual([4, 2, 7, 9, 8]);
  expect(numbers(inPlace(rows(7, 4), places))).toEqual([4, 7]);
});
