import { preOrder, subtreeSizes, subtreeTotals } from '../tree/row-walk.ts';
import type { CallTree, FunctionStats, StackView } from '../view/stack-view.ts';

/** Self and total of every function in the view, by function index. One pass over the rows in pre-order, whatever the recursion. */
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

/** As {@link functionStats}, where the view's top-down tree is at hand, which is in pre-order already. Sums of fractions may differ in rounding. */
export function functionStatsOfTree(functionCount: number, tree: CallTree): FunctionStats {
  const sums = new FunctionStatsBuilder(functionCount);
  const { func, self, total, end } = tree;
  for (let node = 1; node < tree.length; node++) sums.enter(node, func[node]!, self[node]!, total[node]!, end[node]!);
  return sums.finish();
}

/** What functions weigh, told of their rows in pre-order. */
class FunctionStatsBuilder {
  readonly #self: Float64Array;
  readonly #total: Float64Array;
  /** Where the subtree of each function's newest outermost row ends. */
  readonly #end: Int32Array;

  constructor(functionCount: number) {
    this.#self = new Float64Array(functionCount);
    this.#total = new Float64Array(functionCount);
    this.#end = new Int32Array(functionCount);
  }

  enter(place: number, func: number, self: number, total: number, end: number): void {
    this.#self[func]! += self;
    if (place < this.#end[func]!) return;
    this.#total[func]! += total;
    this.#end[func] = end;
  }

  finish(): FunctionStats {
    const present: number[] = [];
    for (let func = 0; func < this.#end.length; func++) if (this.#end[func]! > 0) present.push(func);
    return {
      length: present.length,
      func: Int32Array.from(present),
      self: Float64Array.from(present, (func) => this.#self[func]!),
      total: Float64Array.from(present, (func) => this.#total[func]!),
    };
  }
}
