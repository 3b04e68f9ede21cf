import type { FunctionIndex } from '../../model/brand.ts';
import { childLists, subtreeTotals, walkRows, type Rows } from './row-walk.ts';
import type { StackView } from '../view/stack-view.ts';

/** What calls a function and what it calls. A stack counts once for each caller and once for each callee, however often the call recurs in it. */
export interface Neighbours {
  readonly func: FunctionIndex;
  readonly self: number;
  /** Each stack once. Recursion makes the callers' sum larger than this. */
  readonly total: number;
  /** Function −1: the function is at the root of the stack. */
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
 * Callers and callees of a function; zero and empty where the view does not hold it. Passes over all rows touch columns alone; only the
 * rows of the function and of what it calls are walked.
 */
export function callersAndCallees(view: StackView, chosen: FunctionIndex): Neighbours {
  const { parent, func } = view;
  const rowTotals = subtreeTotals(view, view.self);
  const callers = new EdgeWeights(view.profile.functions.length);
  const callees = new EdgeWeights(view.profile.functions.length);
  let self = 0;
  let total = 0;
  let onPath = 0;
  const callerOf = (row: number): number => (parent[row]! < 0 ? -1 : func[parent[row]!]!);
  const { rows, forest } = rowsAround(view, chosen);
  walkRows(
    forest,
    childLists(forest),
    (place) => {
      const row = rows[place]!;
      const caller = callerOf(row);
      if (caller === chosen) callees.enter(func[row]!, rowTotals[row]!);
      if (func[row] !== chosen) return;
      callers.enter(caller, rowTotals[row]!);
      self += view.self[row]!;
      if (onPath === 0) total += rowTotals[row]!;
      onPath += 1;
    },
    (place) => {
      const row = rows[place]!;
      const caller = callerOf(row);
      if (caller === chosen) callees.leave(func[row]!);
      if (func[row] !== chosen) return;
      callers.leave(caller);
      onPath -= 1;
    },
  );
  return { func: chosen, self, total, callers: callers.list(), callees: callees.list() };
}

/** The rows of a function and of its callees, and how they lie below one another, whatever is between. */
function rowsAround({ length, parent, func }: StackView, chosen: number): { rows: number[]; forest: Rows } {
  const rows: number[] = [];
  const above: number[] = [];
  /** Per row of the view: the place in `rows` of the nearest one above it, or of its own; −1: none. */
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

/** Weight per function at the other end of a call, counted where the call is not already on the path. */
class EdgeWeights {
  readonly #weight = new Map<number, number>();
  readonly #onPath: Int32Array;

  constructor(functionCount: number) {
    this.#onPath = new Int32Array(functionCount + 1);
  }

  enter(func: number, weight: number): void {
    if (this.#onPath[func + 1] === 0) this.#weight.set(func, (this.#weight.get(func) ?? 0) + weight);
    this.#onPath[func + 1]! += 1;
  }

  leave(func: number): void {
    this.#onPath[func + 1]! -= 1;
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
