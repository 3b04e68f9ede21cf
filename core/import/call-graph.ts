import type { FunctionIndex } from '../model/brand.ts';

/** Costs by column. */
export type Costs = Float64Array;

/** A function of a measured call graph. */
export interface GraphNode {
  readonly func: FunctionIndex;
  /** Own costs by line; 0: no line that is known, or one of another file. */
  readonly self: Map<number, Costs>;
  readonly calls: Map<string, GraphCall>;
}

/** All calls of one function from one line. */
export interface GraphCall {
  readonly caller: number;
  readonly callee: number;
  /** Of the caller; 0 where unknown. */
  readonly line: number;
  /** Of the callee and all that it calls. */
  readonly inclusive: Costs;
}

/** Who called whom at what cost, as tools measure it that don't keep stacks: own costs of functions, inclusive costs of calls. */
export class CallGraph {
  readonly columns: number;
  readonly nodes: GraphNode[] = [];
  readonly #rows = new Map<FunctionIndex, number>();

  constructor(columns: number) {
    this.columns = columns;
  }

  node(func: FunctionIndex): number {
    const known = this.#rows.get(func);
    if (known !== undefined) return known;
    const row = this.nodes.push({ func, self: new Map(), calls: new Map() }) - 1;
    this.#rows.set(func, row);
    return row;
  }

  addSelf(node: number, line: number, costs: readonly number[]): void {
    const { self } = this.nodes[node]!;
    let sum = self.get(line);
    if (sum === undefined) self.set(line, (sum = new Float64Array(this.columns)));
    addTo(sum, costs);
  }

  /** A call of a function by itself says nothing that the call from outside does not: its cost is a part of that one's. */
  addCall(caller: number, callee: number, line: number, costs: readonly number[]): void {
    if (caller === callee) return;
    const { calls } = this.nodes[caller]!;
    const key = `${callee} ${line}`;
    let call = calls.get(key);
    if (call === undefined)
      calls.set(key, (call = { caller, callee, line, inclusive: new Float64Array(this.columns) }));
    addTo(call.inclusive, costs);
  }
}

export function addTo(sum: Costs, costs: ArrayLike<number>): void {
  for (let column = 0; column < sum.length; column++) sum[column]! += costs[column] ?? 0;
}
