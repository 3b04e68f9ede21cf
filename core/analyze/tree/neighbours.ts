import type { FunctionIndex } from '../../model/brand.ts';
import { OutermostRows, subtreeTotals, visitInPreOrder, type Rows } from '../view/row-walk.ts';
import type { StackView } from '../view/stack-view.ts';

/**
 * Callers and callees of a function. A stack counts once for each caller and once for each callee, even if the call
 * recurs in it.
 */
export interface Neighbours {
  readonly func: FunctionIndex;
  readonly self: number;
  /** Counts each stack once. With recursion, the callers' sum exceeds it. */
  readonly total: number;
  /** Function −1 means that the function is at the root of the stack. */
  readonly callers: NeighbourList;
  readonly callees: NeighbourList;
}

/** Heaviest first; ties by function index. */
export interface NeighbourList {
  readonly length: number;
  readonly func: Int32Array;
  readonly weight: Float64Array;
}

/**
 * Returns the callers and callees of a function, or zero and empty lists if the view does not contain it. Passes over
 * all rows read columns only; the walk visits only the rows of the function and of its callees.
 */
export function callersAndCallees(view: StackView, chosen: FunctionIndex): Neighbours {
  const { parent, func } = view;
  const rowTotals = subtreeTotals(view, view.self);
  const callers = new EdgeWeights(view.profile.functions.length);
  const callees = new EdgeWeights(view.profile.functions.length);
  let self = 0;
  let total = 0;
  const outermost = new OutermostRows(1);
  const callerOf = (row: number): number => (parent[row]! < 0 ? -1 : func[parent[row]!]!);
  const { rows, forest } = rowsAround(view, chosen);
  visitInPreOrder(forest, (index, place, end) => {
    const row = rows[index]!;
    const caller = callerOf(row);
    if (caller === chosen) callees.add(func[row]!, rowTotals[row]!, place, end);
    if (func[row] !== chosen) return;
    callers.add(caller, rowTotals[row]!, place, end);
    self += view.self[row]!;
    if (outermost.enter(0, place, end)) total += rowTotals[row]!;
  });
  return { func: chosen, self, total, callers: callers.list(), callees: callees.list() };
}

/** Returns the rows of a function and of its callees as a forest, ignoring the rows between them. */
function rowsAround({ length, parent, func }: StackView, chosen: number): { rows: number[]; forest: Rows } {
  const rows: number[] = [];
  const above: number[] = [];
  /** For each row of the view, the index in `rows` of the row itself or its nearest ancestor; −1 if there is none. */
  const nearest = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    const outer = caller < 0 ? -1 : nearest[caller]!;
    if (func[row] === chosen || (caller >= 0 && func[caller] === chosen)) {
      nearest[row] = rows.length;
      rows.push(row);
      above.push(outer);
    } else nearest[row] = outer;
  }
  return { rows, forest: { length: rows.length, parent: Int32Array.from(above) } };
}

/** Weight per function at the other end of a call, counted only if the call is not already on the path. */
class EdgeWeights {
  readonly #weight = new Map<number, number>();
  readonly #outermost: OutermostRows;

  constructor(functionCount: number) {
    this.#outermost = new OutermostRows(functionCount + 1);
  }

  add(func: number, weight: number, place: number, end: number): void {
    if (this.#outermost.enter(func + 1, place, end)) this.#weight.set(func, (this.#weight.get(func) ?? 0) + weight);
  }

  list(): NeighbourList {
    const rows = [...this.#weight].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return {
      length: rows.length,
      func: Int32Array.from(rows, ([func]) => func),
      weight: Float64Array.from(rows, ([, weight]) => weight),
    };
  }
}
