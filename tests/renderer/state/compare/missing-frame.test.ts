import { expect, test } from 'vitest';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { missingIn } from '../../../../renderer/state/compare/missing-frame.ts';
import { pathDetail } from '../../../../renderer/analysis/comparison/requests.ts';
import { compareTrees } from '../../../../renderer/analysis/comparison/slices.ts';
import { functionNamesOf } from '../../../../renderer/analysis/profile/describe-profile.ts';
import { judgePaths } from '#core/compare/judge-paths.ts';
import { captureOf, compareRaw } from '../../../core/compare/captures.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

/** Returns where frames of this name are missing in a comparison zoomed into another frame. */
async function missing(before: string, after: string, name: string, root = ''): Promise<ReturnType<typeof missingIn>> {
  const comparison = await compareRaw([captureOf(profileFromText(before))], [captureOf(profileFromText(after))]);
  const tree = buildDeltaTree(comparison);
  const paths = judgePaths(comparison, tree);
  const { table } = comparison.matched;
  const trees = compareTrees(comparison, tree, paths);
  const node = (of: string): CallNodeIndex =>
    (of === ''
      ? 0
      : tree.func.findIndex((func) => func >= 0 && table.strings[table.functions.name[func]!] === of)) as CallNodeIndex;
  const path = pathDetail({ comparison, trees, paths }, { node: node(name), root: node(root) });
  return missingIn(functionNamesOf(table), path);
}

test('marks a new frame in before, between its siblings', async () => {
  expect(await missing('a 10\nc 30', 'a 20\nb/x.new 5\nc 5', 'b/x.new')).toEqual({
    before: { text: 'not in before: b/x.new', start: 10, depth: 1 },
    after: null,
  });
});

test('marks a missing frame in after, measured from the zoomed root', async () => {
  const after = { text: 'not in after: gone', start: 7, depth: 1 };
  expect(await missing('0 5\na;b 20\na;gone 5', '0 2\na;b 5', 'gone', 'a')).toEqual({ before: null, after });
});

test('marks nothing that both sides have, outside the zoomed root, or at the root', async () => {
  const none = { before: null, after: null };
  expect(await missing('a 10', 'a 20', 'a')).toEqual(none);
  expect(await missing('a 10\nb 1', 'a 20', 'b', 'a')).toEqual(none);
  expect(await missing('a 10', 'a 20', '')).toEqual(none);
  // The graph then has no other frame, and says so.
  expect(await missing('a 10', 'a 10\nb;c 1', 'b', 'b')).toEqual(none);
});
