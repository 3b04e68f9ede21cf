import { OutermostRows, preOrder, subtreeSizes, subtreeTotals } from '../tree/row-walk.ts';
import type { CallTree, FunctionStats, StackView } from '../view/stack-view.ts';
import type { Profile } from '../../model/profile.ts';

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

/**
 * Returns the rank of every function in `rows` by name, then module, then index. Compares UTF-16 code units, so the
 * order does not depend on the locale. Functions that do not occur have rank 0.
 */
export function functionRanks(profile: Profile, rows: Int32Array): { rank: Int32Array; count: number } {
  const { name, module, length } = profile.functions;
  const { strings } = profile;
  const occurs = new Uint8Array(length);
  for (const func of rows) occurs[func] = 1;
  const present: number[] = [];
  for (let func = 0; func < length; func++) if (occurs[func] === 1) present.push(func);
  present.sort((a, b) => {
    if (name[a] !== name[b]) return strings[name[a]!]! < strings[name[b]!]! ? -1 : 1;
    if (module[a] !== module[b]) return strings[module[a]!]! < strings[module[b]!]! ? -1 : 1;
    return a - b;
  });
  const rank = new Int32Array(length);
  present.forEach((func, place) => {
    rank[func] = place;
  });
  return { rank, count: present.length };
}
