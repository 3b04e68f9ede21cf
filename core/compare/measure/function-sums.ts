import { childLists, subtreeTotals, walkRows } from '../../analyze/tree/row-walk.ts';
import type { SumRows } from '../statistics/sampling-variance.ts';

/** Rows of stacks by function: a view, its functions renumbered. */
export interface StackRows {
  readonly length: number;
  readonly parent: Int32Array;
  readonly func: Int32Array;
}

/** Several columns at once, row by row: row × columns + column. */
export interface ColumnSums {
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/** Each column with everything below its row. */
export function subtreeColumns({ length, parent }: StackRows, self: Float64Array, columns: number): Float64Array {
  const total = self.slice();
  for (let row = length - 1; row >= 0; row--) {
    const caller = parent[row]!;
    if (caller < 0) continue;
    for (let column = 0; column < columns; column++)
      total[caller * columns + column]! += total[row * columns + column]!;
  }
  return total;
}

/** Self and total of every function, of all columns in one walk; a stack counts once for a function that recurs in it. */
export function sumFunctions(rows: StackRows, self: Float64Array, columns: number, functions: number): ColumnSums {
  const rowTotals = subtreeColumns(rows, self, columns);
  const sums = { self: new Float64Array(functions * columns), total: new Float64Array(functions * columns) };
  const onPath = new Int32Array(functions);
  const add = (to: Float64Array, func: number, from: Float64Array, row: number): void => {
    for (let column = 0; column < columns; column++) to[func * columns + column]! += from[row * columns + column]!;
  };
  walkRows(
    rows,
    childLists(rows),
    (row) => {
      const func = rows.func[row]!;
      add(sums.self, func, self, row);
      if (onPath[func] === 0) add(sums.total, func, rowTotals, row);
      onPath[func]! += 1;
    },
    (row) => {
      onPath[rows.func[row]!]! -= 1;
    },
  );
  return sums;
}

/** Self and total of every function, of one column at a time; what {@link sumFunctions} has of it. */
export function functionsOfRows(
  rows: StackRows,
  functions: number,
): { readonly self: SumRows; readonly total: SumRows } {
  const { length, func } = rows;
  const isOutermost = outermostRows(rows, functions);
  return {
    self: (weights, sums) => {
      for (let row = 0; row < length; row++) if (weights[row] !== 0) sums[func[row]!]! += weights[row]!;
    },
    total: (weights, sums) => {
      const totals = subtreeTotals(rows, weights);
      for (let row = 0; row < length; row++) if (isOutermost[row] === 1) sums[func[row]!]! += totals[row]!;
    },
  };
}

/** 1 where no row above is of the same function. */
function outermostRows(rows: StackRows, functions: number): Uint8Array {
  const isOutermost = new Uint8Array(rows.length);
  const onPath = new Int32Array(functions);
  walkRows(
    rows,
    childLists(rows),
    (row) => {
      isOutermost[row] = onPath[rows.func[row]!]!++ === 0 ? 1 : 0;
    },
    (row) => {
      onPath[rows.func[row]!]! -= 1;
    },
  );
  return isOutermost;
}
