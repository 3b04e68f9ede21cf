import { inPieces, type Steps } from '../../steps.ts';
import { OutermostRows, preOrder, subtreeSizes, visitInPreOrder } from '../../analyze/view/row-walk.ts';
import type { AddSample } from './sampling-variance.ts';

/** Stacks by function: the rows of a view with its functions renumbered. */
interface FunctionStacks {
  readonly length: number;
  readonly parent: Int32Array;
  readonly func: Int32Array;
}

/** Several columns at once, row by row: row × columns + column. */
interface ColumnSums {
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/** Returns each column including everything below its row. */
export function* subtreeColumns(
  { length, parent }: FunctionStacks,
  self: Float64Array,
  columns: number,
): Steps<Float64Array> {
  const total = self.slice();
  yield* inPieces(length, (first, end) => {
    for (let row = length - 1 - first; row >= length - end; row--) {
      const caller = parent[row]!;
      if (caller < 0) continue;
      for (let column = 0; column < columns; column++)
        total[caller * columns + column]! += total[row * columns + column]!;
    }
  });
  return total;
}

/**
 * Returns self and total of every function for all columns in one walk; a stack counts once for a function that recurs
 * in it.
 */
export function* sumFunctions(
  rows: FunctionStacks,
  self: Float64Array,
  columns: number,
  functions: number,
): Steps<ColumnSums> {
  const rowTotals = yield* subtreeColumns(rows, self, columns);
  yield;
  const sums = { self: new Float64Array(functions * columns), total: new Float64Array(functions * columns) };
  const outermost = new OutermostRows(functions);
  const add = (to: Float64Array, func: number, from: Float64Array, row: number): void => {
    for (let column = 0; column < columns; column++) to[func * columns + column]! += from[row * columns + column]!;
  };
  const size = subtreeSizes(rows);
  const order = preOrder(rows, size);
  yield;
  yield* inPieces(order.length, (first, last) => {
    for (let place = first; place < last; place++) {
      const row = order[place]!;
      const func = rows.func[row]!;
      add(sums.self, func, self, row);
      if (outermost.enter(func, place, place + size[row]!)) add(sums.total, func, rowTotals, row);
    }
  });
  return sums;
}

/** Returns what {@link sumFunctions} adds up, sample by sample: to the self and to the totals of functions. */
export function addToFunctions(
  rows: FunctionStacks,
  functions: number,
): { readonly self: AddSample; readonly total: AddSample } {
  const { parent, func } = rows;
  const isOutermost = outermostRows(rows, functions);
  return {
    self: (sums, row, weight) => {
      sums[func[row]!]! += weight;
    },
    total: (sums, row, weight) => {
      for (let at = row; at >= 0; at = parent[at]!) if (isOutermost[at] === 1) sums[func[at]!]! += weight;
    },
  };
}

/** Returns 1 for each row without an ancestor of the same function. */
function outermostRows(rows: FunctionStacks, functions: number): Uint8Array {
  const isOutermost = new Uint8Array(rows.length);
  const outermost = new OutermostRows(functions);
  visitInPreOrder(rows, (row, place, end) => {
    if (outermost.enter(rows.func[row]!, place, end)) isOutermost[row] = 1;
  });
  return isOutermost;
}
