import { expect, test } from 'vitest';
import { rowOfPath } from '#core/analyze/graph/row-of-path.ts';
import { treeSource } from '#core/analyze/graph/tree-source.ts';
import type { FlameSlice } from '#core/analyze/graph/flame-slice.ts';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

function sliceOf(text: string): Promise<FlameSlice> {
  const profile = profileFromText(text);
  const tree = buildCallTree(buildStackView(profile), 'top-down');
  const limits = { widthPx: 1000, minWidthPx: 2, maxFrames: 100, firstDepth: 0, depthCount: 10 };
  return treeSource(profile, tree).requestSlice({ root: 0 as CallNodeIndex, ...limits });
}

test('finds the row with the same path among new neighbours, and none where the path is gone', async () => {
  // Functions keep their indices in a growing profile.
  const before = await sliceOf('main;b;leaf 5\nmain;c;leaf 4\nmain;a;leaf 1');
  const after = await sliceOf('main;b;leaf 1\nmain;c;leaf 9\nmain;a 6');
  const row = (of: FlameSlice, depth: number, start: number): number =>
    of.slice.depth.findIndex((at, index) => at === depth && of.slice.start[index] === start);
  const leafBelowC = row(before, 3, 6);
  const found = rowOfPath(after, before, leafBelowC);
  expect(after.slice.start[found]).toBe(7);
  expect(after.slice.total[found]).toBe(9);
  expect(rowOfPath(after, before, row(before, 3, 0))).toBe(-1);
  expect(rowOfPath(after, before, -1)).toBe(-1);
});
