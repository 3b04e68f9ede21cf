import { expect, it } from 'vitest';
import { finish, finishInSlices, inPieces } from '#core/steps.ts';

it('covers every row once, in order, and pauses only between pieces', () => {
  const rows: number[] = [];
  const steps = inPieces(
    7,
    (first, end) => {
      for (let row = first; row < end; row++) rows.push(row);
    },
    3,
  );
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  expect(rows).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(pauses).toBe(2);
});

it('returns the same with and without pauses', async () => {
  function* steps() {
    yield;
    yield;
    return 'done';
  }
  let rests = 0;
  const rest = async (): Promise<void> => {
    rests += 1;
  };
  expect(await finishInSlices(steps(), rest)).toBe(finish(steps()));
  expect(await finishInSlices(steps(), undefined)).toBe('done');
  expect(rests).toBe(2);
});
