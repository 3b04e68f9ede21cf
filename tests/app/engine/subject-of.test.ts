import { expect, it } from 'vitest';
import { subjectOf } from '../../../app/engine/recording/recorded-subject.ts';

const order = (subjects: readonly { name: string; side: 'before' | 'after' | null }[], runs: number): string =>
  Array.from({ length: runs }, (_, run) => subjectOf(run, subjects).name).join('');

it('two sides alternate A B B A', () => {
  const sides = [
    { name: 'A', side: 'before' as const },
    { name: 'B', side: 'after' as const },
  ];
  expect(order(sides, 9)).toBe('ABBAABBAA');
});

it('kinds of profiles take turns, however many they are', () => {
  const kinds = ['h', 'g', 'c'].map((name) => ({ name, side: null }));
  expect(order(kinds, 7)).toBe('hgchgch');
  expect(order(kinds.slice(0, 1), 3)).toBe('hhh');
});
