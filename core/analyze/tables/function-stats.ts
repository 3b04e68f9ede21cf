import { OutermostRows, preOrder, subtreeSizes, subtreeTotals } from '../view/row-walk.ts';
import type { CallTree, FunctionStats, StackView } from '../view/stack-view.ts';

/**
 * Returns the self and total weight of every function in the view, by function index. Takes one pass over the rows in
 * pre-order, regardless of recursion.
 */
export function functionStats(view: StackView): FunctionStats {
  const rowTotals = subtreeTotals(view, view.self);
  const size = subtreeSizes(view);
  const rows = preOrder(view, size);
  const sums = new FunctionStatsBuilder(view.profile.functions.length);
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    sums.enter(place, view.func[row]!, view.self[row]!, rowTotals[row]!, place + size[row]!);
  }
  return sums.finish();
}

/**
 * Like {@link functionStats}, but reads the view's top-down tree, which is already in pre-order. Sums of fractions may
 * round differently.
 */
export function functionStatsOfTree(functionCount: number, tree: CallTree): FunctionStats {
  const sums = new FunctionStatsBuilder(functionCount);
  const { func, self, total, end } = tree;
  for (let node = 1; node < tree.length; node++) sums.enter(node, func[node]!, self[node]!, total[node]!, end[node]!);
  return sums.finish();
}

/** Sums functions' weights from their rows, which must arrive in pre-order. */
class FunctionStatsBuilder {
  readonly #self: Float64Array;
  readonly #total: Float64Array;
  readonly #outermost: OutermostRows;

  constructor(functionCount: number) {
    this.#self = new Float64Array(functionCount);
    this.#total = new Float64Array(functionCount);
    this.#outermost = new OutermostRows(functionCount);
  }

  enter(place: number, func: number, self: number, total: number, end: number): void {
    this.#self[func]! += self;
    if (this.#outermost.enter(func, place, end)) this.#total[func]! += total;
  }

  finish(): FunctionStats {
    const present: number[] = [];
    this.#outermost.ends.forEach((end, func) => {
      if (end > 0) present.push(func);
    });
    return {
      length: present.length,
      func: Int32Array.from(present),
      self: Float64Array.from(present, (func) => this.#self[func]!),
      total: Float64Array.from(present, (func) => this.#total[func]!),
    };
  }
}

/** Returns the self and total of every function in samples instead of weight; rows as in {@link functionStats}. */
export function sampleCounts(view: StackView): FunctionStats {
  return functionStats({ ...view, self: view.count });
}
