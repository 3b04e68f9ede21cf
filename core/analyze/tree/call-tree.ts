import { finish, inPieces, type Steps } from '../../steps.ts';
import { bottomUpTree } from './bottom-up.ts';
import { functionRanks, rowsByRank } from './function-ranks.ts';
import { layOutTree, siblingOffsets, subtreeSizes, subtreeTotals } from '../view/row-walk.ts';
import type { CallTree, StackView } from '../view/stack-view.ts';

/**
 * Builds the call tree of a view. Time and memory are linear in its rows. Siblings are ordered by name, then module.
 */
export function buildCallTree(view: StackView, direction: CallTree['direction']): CallTree {
  return finish(callTreeSteps(view, direction));
}

/** Like {@link buildCallTree}, in pieces. A bottom-up tree is one piece. */
export function* callTreeSteps(view: StackView, direction: CallTree['direction']): Steps<CallTree> {
  const { rank, count } = functionRanks(view.profile, view.func);
  yield;
  return direction === 'bottom-up' ? bottomUpTree(view, rank) : yield* topDownTree(view, rank, count);
}

function* topDownTree(view: StackView, rank: Int32Array, rankCount: number): Steps<CallTree> {
  const size = subtreeSizes(view);
  yield;
  const rowTotals = subtreeTotals(view, view.self);
  yield;
  const siblings = rowsWithSiblings(view, rank, rankCount);
  yield;
  const offset = siblingOffsets(view, size, siblings);
  yield;
  const { tree, nodeOfRow } = layOutTree(view, size, offset);
  yield;
  const self = new Float64Array(tree.length);
  const total = new Float64Array(tree.length);
  self[0] = view.withoutStack;
  total[0] = view.total;
  yield* inPieces(view.length, (first, end) => {
    for (let row = first; row < end; row++) {
      self[nodeOfRow[row]!] = view.self[row]!;
      total[nodeOfRow[row]!] = rowTotals[row]!;
    }
  });
  return { ...tree, direction: 'top-down', self, total, cutDepth: null };
}

/** Returns the rows that are not their caller's only callee, by rank. Most rows are, and need no sorting. */
function rowsWithSiblings({ length, parent, func }: StackView, rank: Int32Array, rankCount: number): Int32Array {
  const siblings = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) siblings[parent[row]! + 1]! += 1;
  let count = 0;
  const several = new Int32Array(length);
  for (let row = 0; row < length; row++) if (siblings[parent[row]! + 1]! > 1) several[count++] = row;
  const rows = several.subarray(0, count);
  const order = rowsByRank(
    rows.map((row) => func[row]!),
    rank,
    rankCount,
  );
  for (let place = 0; place < count; place++) order[place] = rows[order[place]!]!;
  return order;
}
