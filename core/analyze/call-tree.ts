import { bottomUpTree } from './bottom-up.ts';
import { functionRanks } from './function-order.ts';
import { childLists, subtreeTotals, walkRows } from './row-walk.ts';
import type { CallTree, StackView } from './stack-view.ts';

/** The call tree of a view; time and memory are linear in its rows. Siblings are ordered by name, then module. */
export function buildCallTree(view: StackView, direction: CallTree['direction']): CallTree {
  const { rank, count } = functionRanks(view.profile, view.func);
  return direction === 'bottom-up' ? bottomUpTree(view, rank) : topDownTree(view, rank, count);
}

function topDownTree(view: StackView, rank: Int32Array, rankCount: number): CallTree {
  const lists = childLists(view, rowsByRank(view.func, rank, rankCount));
  const rowTotals = subtreeTotals(view, view.self);
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
  const nodeOfRow = new Int32Array(view.length);
  let node = 1;
  walkRows(
    view,
    lists,
    (row) => {
      const caller = view.parent[row]!;
      const callerNode = caller < 0 ? 0 : nodeOfRow[caller]!;
      nodeOfRow[row] = node;
      func[node] = view.func[row]!;
      parent[node] = callerNode;
      depth[node] = depth[callerNode]! + 1;
      self[node] = view.self[row]!;
      total[node] = rowTotals[row]!;
      node += 1;
    },
    (row) => {
      end[nodeOfRow[row]!] = node;
    },
  );
  return { length, direction: 'top-down', func, parent, depth, end, self, total, cutDepth: null };
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
