import { expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { selectionDelta } from '#core/compare/selection-delta.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from './captures.ts';

const before = 'main;parse;read 30\nmain;parse 10\nmain;write;read 20\nidle 40';
const after = 'main;parse;read 20\nmain;parse;parse;read 5\nmain;new 7\nidle 40';

test('sums functions, each stack once', async () => {
  const comparison = await compareRaw([captureOf(profileFromText(before))], [captureOf(profileFromText(after))]);
  const tree = buildDeltaTree(comparison);
  const { table } = comparison.matched;
  const count = table.functions.length;
  const of = (...names: string[]) =>
    selectionDelta(
      tree,
      Int32Array.from(names, (name) =>
        Array.from({ length: count }, (_, func) => functionRef(table, func).name).indexOf(name),
      ),
      count,
    );
  expect(of('parse', 'read')).toEqual({ self: { before: 60, after: 25 }, total: { before: 60, after: 25 } });
  expect(of('main', 'read')).toEqual({ self: { before: 50, after: 25 }, total: { before: 60, after: 32 } });
  expect(of('parse')).toEqual({ self: { before: 10, after: 0 }, total: { before: 40, after: 25 } });
  expect(of('new')).toEqual({ self: { before: 0, after: 7 }, total: { before: 0, after: 7 } });
  expect(of()).toEqual({ self: { before: 0, after: 0 }, total: { before: 0, after: 0 } });
});
