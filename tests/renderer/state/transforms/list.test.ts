import { expect, test } from 'vitest';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { added, allEnabled, moved, removed, toggled } from '../../../../renderer/state/transforms/list.ts';

const of = (letters: string): NamedTransform[] =>
  [...letters].map((module) => ({
    enabled: module === module.toLowerCase(),
    kind: 'collapse-module',
    module: module.toLowerCase(),
  }));

/** Upper case means disabled. */
const letters = (list: readonly NamedTransform[]): string =>
  list.map((one) => ('module' in one ? (one.enabled ? one.module! : one.module!.toUpperCase()) : '?')).join('');

test.each([
  [0, 1, 'bac'],
  [0, 2, 'bca'],
  [0, 9, 'bca'],
  [2, 0, 'cab'],
  [2, -1, 'cab'],
  [1, 1, 'abc'],
])('moved from %i to %i: %s', (from, to, expected) => {
  expect(letters(moved(of('abc'), from, to))).toBe(expected);
});

test('adds a transform only once', () => {
  expect(letters(added(of('ab'), of('c')[0]!))).toBe('abc');
  expect(letters(added(of('aB'), of('b')[0]!))).toBe('ab');
});

test('toggles, removes and switches all', () => {
  expect(letters(toggled(of('abc'), 1))).toBe('aBc');
  expect(letters(removed(of('abc'), 1))).toBe('ac');
  expect(letters(allEnabled(of('aBc'), false))).toBe('ABC');
});
