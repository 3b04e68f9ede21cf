import { expect, test } from 'vitest';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { allocatedBeside } from '../../../../renderer/state/profile/views.ts';

const go = ['alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'].map((type) => ({
  type,
  unit: type.endsWith('space') ? 'bytes' : 'count',
}));
const beside = (types: typeof go, row: number): number | null => allocatedBeside(types, row as ValueTypeIndex);

test('shows memory in use next to memory allocated, in the same unit', () => {
  expect(beside(go, 3)).toBe(1);
  expect(beside(go, 2)).toBe(0);
});

test('shows nothing next to allocations, other values or memory in use alone', () => {
  expect(beside(go, 1)).toBeNull();
  expect(beside([{ type: 'cpu', unit: 'nanoseconds' }], 0)).toBeNull();
  expect(beside(go.slice(2), 1)).toBeNull();
});
