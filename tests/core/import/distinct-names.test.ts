import { expect, it } from 'vitest';
import { distinctNames } from '#core/import/stacks/distinct-names.ts';

it('numbers threads that share name and ids', () => {
  expect(distinctNames([{ name: 'a' }, { name: 'a' }, { name: 'b' }, { name: 'a' }])).toEqual([
    'a',
    'a (2)',
    'b',
    'a (3)',
  ]);
  const byId = [1, 2, 2].map((tid) => ({ name: 'a', pid: 1, tid }));
  expect(distinctNames(byId)).toEqual(['a', 'a', 'a (2)']);
});

it('passes over numbered names that threads already have', () => {
  const names = ['a (2)', 'a', 'a', 'a (2)'].map((name) => ({ name }));
  expect(distinctNames(names)).toEqual(['a (2)', 'a', 'a (3)', 'a (2) (2)']);
});
