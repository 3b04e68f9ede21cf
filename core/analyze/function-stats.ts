import { preOrder, subtreeSizes, subtreeTotals } from './row-walk.ts';
import type { FunctionStats, StackView } from './stack-view.ts';

/** Self and total of every function in the view, by function index. One pass over the rows in pre-order, whatever the recursion. */
export function functionStats(view: StackView): FunctionStats {
  const functionCount = view.profile.functions.length;
  const rowTotals = subtreeTotals(view, view.self);
  const size = subtreeSizes(view);
  const rows = preOrder(view, size);
  const self = new Float64Array(functionCount);
  const total = new Float64Array(functionCount);
  /** Where the subtree of each function's newest outermost row ends. */
  const end = new Int32Array(functionCount);
  const { func } = view;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    const entered = func[row]!;
    self[entered]! += view.self[row]!;
    if (place < end[entered]!) continue;
    total[entered]! += rowTotals[row]!;
    end[entered] = place + size[row]!;
  }
  const present: number[] = [];
  for (let index = 0; index < functionCount; index++) if (end[index]! > 0) present.push(index);
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
