import { expect, test } from 'vitest';
import { compareTitle } from '../../../../renderer/state/compare/title.ts';
import type { CompareState } from '../../../../renderer/state/compare/compare.types.ts';

const side = (name: string): CompareState['before'] =>
  ({
    captures: [{ origin: { kind: 'file' }, source: { fileName: name }, opened: null }],
  }) as unknown as CompareState['before'];

test.each([
  ['server-1.4', 'server-1.5', 'server-1.4 ↔ server-1.5'],
  ['server, before', 'server, after', 'server, before ↔ after'],
  ['server, before', 'proxy, after', 'server, before ↔ proxy, after'],
  ['server, before', 'server', 'server, before ↔ server'],
])('titles %s and %s', (before, after, title) => {
  expect(compareTitle({ name: null, before: side(before), after: side(after) })).toBe(title);
});
