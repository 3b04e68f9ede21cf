import { expect, test } from 'vitest';
import { release } from '#core/model/release.ts';

test('empties a released array', () => {
  const array = new Int32Array(1000);
  const other = new Uint8Array(array.buffer);
  release(array);
  expect([array.length, other.length]).toEqual([0, 0]);
});

test('keeps shared memory', () => {
  const array = new Int32Array(new SharedArrayBuffer(16));
  release(array);
  expect(array.length).toBe(4);
});
