import { bottomUpTree } from './bottom-up.ts';
import { functionRanks } from '../tables/function-order.ts';
import { subtreeSizes, subtreeTotals } from './row-walk.ts';
import type { CallTree, StackView } from '../view/stack-view.ts';

/** The call tree of a view; time and memory are linear in its rows. Siblings are ordered by name, then module. */
export function buildCallTree(view: StackView, direction: CallTree['direction']): CallTree {
  const { rank, count } = functionRanks(view.profile, view.func);
  return direction === 'bottom-up' ? bottomUpTree(view, rank) : topDownTree(view, rank, count);
}

/** Every row's place follows from the sizes of the subtrees before it: no walk from row to row. */
function topDownTree(view: StackView, rank: Int32Array, rankCount: number): CallTree {
  const size = subtreeSizes(view);
  const rowTotals = subtreeTotals(view, view.self);
  const nodeOfRow = offsetsAmongSiblings(view, size, rank, rankCount);
  const length = view.length + 1;
  const func = new Int32Array(length);
  const parent = new Int32Array(length);
  const depth = new Int32Array(length);
  const end = new Int32Array(length);
  const self = new Float64Array(length);
  const total = new Float64Array(length);
  func[0] = -1;
  parent[0] = -1;
  end[0] = length;
  self[0] = view.withoutStack;
  total[0] = view.total;
  for (let row = 0; row < view.length; row++) {
    const caller = view.parent[row]!;
    const callerNode = caller < 0 ? 0 : nodeOfRow[caller]!;
    const node = callerNode + 1 + nodeOfRow[row]!;
    nodeOfRow[row] = node;
    func[node] = view.func[row]!;
    parent[node] = callerNode;
    depth[node] = depth[callerNode]! + 1;
    end[node] = node + size[row]!;
    self[node] = view.self[row]!;
    total[node] = rowTotals[row]!;
  }
  return { length, direction: 'top-down', func, parent, depth, end, self, total, cutDepth: null };
}

/** By row: how many rows lie below the siblings before it, these counted. */
function offsetsAmongSiblings(
  { length, parent, func }: StackView,
  size: Int32Array,
  rank: Int32Array,
  rankCount: number,
): Int32Array {
  const siblings = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) siblings[parent[row]! + 1]! += 1;
  // Most rows are the only callee of their caller: the others alone need an order.
  let count = 0;
  const several = new Int32Array(length);
  for (let row = 0; row < length; row++) if (siblings[parent[row]! + 1]! > 1) several[count++] = row;
  const rows = several.subarray(0, count);
  const order = rowsByRank(
    rows.map((row) => func[row]!),
    rank,
    rankCount,
  );
  const offset = new Int32Array(length);
  const taken = siblings.fill(0);
  for (const place of order) {
    const row = rows[place]!;
    const caller = parent[row]! + 1;
    offset[row] = taken[caller]!;
    taken[caller]! += size[row]!;
  }
  return offset;
}

/** Rows in the order of their functions' ranks: a counting sort. */
export function rowsByRank(func: Int32Array, rank: Int32Array, rankCount: number): Int32Array {
  const start = new Int32Array(rankCount + 1);
  for (const row of func) start[rank[row]! + 1]! += 1;
  for (let place = 0; place < rankCount; place++) start[place + 1]! += start[place]!;
  const order = new Int32Array(func.length);
  for (let row = 0; row < func.length; row++) {
    const place = rank[func[row]!]!;
    order[start[place]!] = row;
    start[place]! += 1;
  }
  return order;
}
