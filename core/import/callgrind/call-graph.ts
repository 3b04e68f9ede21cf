import type { FunctionIndex } from '../../model/brand.ts';
import { float64Column } from '../../model/intern/column.ts';
import { PairTable } from '../../model/intern/pair-table.ts';

/** Own costs, in place of a callee. */
export const SELF = -1;

/**
 * The costs of calls, as measured by tools that do not keep stacks. A node is a function in a section (a thread, a part
 * of the recording), whose graph is separate from the others'. An item is what a node spends on a line: on itself, or
 * on a callee including everything that it calls.
 */
export interface CallGraph {
  readonly columns: number;
  /** By node. */
  readonly section: Int32Array;
  /** By node: {@link FunctionIndex}. */
  readonly func: Int32Array;
  /** By node, plus one: its items are those from here to before the next node's. */
  readonly starts: Int32Array;
  /** By item: the node. */
  readonly caller: Int32Array;
  /** By item: a node, or {@link SELF}. */
  readonly callee: Int32Array;
  /** By item, line of the caller; 0: unknown, or in another file. */
  readonly line: Int32Array;
  /** By item and column: `item * columns + column`. */
  readonly costs: Float64Array;
}

export class CallGraphBuilder {
  readonly columns: number;
  readonly #nodes = new PairTable();
  readonly #links = new PairTable();
  readonly #items = new PairTable();
  readonly #costs = float64Column();

  constructor(columns: number) {
    this.columns = columns;
  }

  node(section: number, func: FunctionIndex): number {
    return this.#nodes.intern(section, func);
  }

  addSelf(node: number, line: number, costs: readonly number[]): void {
    this.#add(node, SELF, line, costs);
  }

  /** A function's calls to itself are ignored: their cost is part of the call from outside. */
  addCall(caller: number, callee: number, line: number, costs: readonly number[]): void {
    if (caller !== callee) this.#add(caller, callee, line, costs);
  }

  /** The builder is empty afterwards. */
  finish(): CallGraph {
    const { columns } = this;
    const linkOf = this.#items.first.finish();
    const lineOf = this.#items.second.finish();
    const callerOf = this.#links.first.finish();
    const calleeOf = this.#links.second.finish();
    const costs = this.#costs.finish();
    const section = this.#nodes.first.finish();
    const func = this.#nodes.second.finish();
    const starts = new Int32Array(section.length + 1);
    for (const link of linkOf) starts[callerOf[link]! + 1]! += 1;
    for (let node = 0; node < section.length; node++) starts[node + 1]! += starts[node]!;
    const next = starts.slice();
    const graph = {
      columns,
      section,
      func,
      starts,
      caller: new Int32Array(linkOf.length),
      callee: new Int32Array(linkOf.length),
      line: new Int32Array(linkOf.length),
      costs: new Float64Array(costs.length),
    };
    for (let row = 0; row < linkOf.length; row++) {
      const link = linkOf[row]!;
      const item = next[callerOf[link]!]!++;
      graph.caller[item] = callerOf[link]!;
      graph.callee[item] = calleeOf[link]!;
      graph.line[item] = lineOf[row]!;
      for (let column = 0; column < columns; column++) {
        graph.costs[item * columns + column] = costs[row * columns + column]!;
      }
    }
    return graph;
  }

  #add(caller: number, callee: number, line: number, costs: readonly number[]): void {
    const item = this.#items.intern(this.#links.intern(caller, callee), line);
    const first = item * this.columns;
    const isNew = first === this.#costs.length;
    for (let column = 0; column < this.columns; column++) {
      const cost = costs[column] ?? 0;
      if (isNew) this.#costs.push(cost);
      else this.#costs.set(first + column, this.#costs.get(first + column) + cost);
    }
  }
}
