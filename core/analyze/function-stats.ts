import { childLists, subtreeTotals, walkRows } from './row-walk.ts';
import type { FunctionStats, StackView } from './stack-view.ts';

/** Self and total of every function in the view, by function index. One walk over the rows, whatever the recursion. */
export function functionStats(view: StackView): FunctionStats {
  const functionCount = view.profile.functions.length;
  const rowTotals = subtreeTotals(view, view.self);
  const self = new Float64Array(functionCount);
  const total = new Float64Array(functionCount);
  /** How often each function is on the path from the root to the current row. */
  const onPath = new Int32Array(functionCount);
  const occurs = new Uint8Array(functionCount);
  const { func } = view;
  walkRows(
    view,
    childLists(view),
    (row) => {
      const entered = func[row]!;
      occurs[entered] = 1;
      self[entered]! += view.self[row]!;
      if (onPath[entered] === 0) total[entered]! += rowTotals[row]!;
      onPath[entered]! += 1;
    },
    (row) => {
      onPath[func[row]!]! -= 1;
    },
  );
  const present: number[] = [];
  for (let index = 0; index < functionCount; index++) if (occurs[index] === 1) present.push(index);
  return {
    length: present.length,
    func: Int32Array.from(present),
    self: Float64Array.from(present, (index) => self[index]!),
    total: Float64Array.from(present, (index) => total[index]!),
  };
}

/** Rows of the stats, heaviest first; ties by the other column, then by function index. */
export function rankFunctions(stats: FunctionStats, by: 'self' | 'total'): Int32Array {
  const [first, second] = by === 'self' ? [stats.self, stats.total] : [stats.total, stats.self];
  return Int32Array.from(stats.func.keys()).sort((a, b) => first[b]! - first[a]! || second[b]! - second[a]! || a - b);
}
