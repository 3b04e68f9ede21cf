import { NO_STACK, type FrameIndex, type StackIndex, type ThreadIndex } from '../model/brand.ts';
import type { ProfileBuilder } from '../model/profile-builder.ts';
import { FunctionKind } from '../model/profile.ts';
import { Apportioner } from './apportion.ts';
import { groupGraph, type GraphGroup, type GroupedGraph } from './call-graph-groups.ts';
import { addTo, type CallGraph, type Costs } from './call-graph.ts';
import { LargestFirst } from './largest-first.ts';

/** More stacks than a window can show; the costliest come first, so what is left is little. */
export const MAX_CALLS = 100_000;
/** Bounds the time where functions have very many lines and calls. */
const MAX_STEPS = 20_000_000;

/** Where there are more paths than can be followed, own costs of calls with less than this share of the whole are not told by lines. */
const LEAST_LINE_SHARE = 1e-4;

/** A call of a group with what it costs there. */
interface Visit {
  readonly group: GraphGroup;
  readonly entry: number;
  readonly caller: StackIndex;
  readonly costs: Costs;
  /** Of the whole graph's costs, in the column where it is the largest. */
  readonly share: number;
}

interface Sampled {
  readonly thread: ThreadIndex;
  readonly labelSet: number | undefined;
  /** By column: how much one of the graph's costs weighs. */
  readonly scales: readonly number[];
  /** How many calls may be told apart at most. */
  readonly maxCalls: number;
}

/**
 * Adds a call graph as stacks. A function spends, wherever it is called, in the same proportions; all numbers stay whole, and own costs of
 * functions and lines are exact, as are the costs of calls as far as the graph is sound (see `groupGraph`). Functions that call one another
 * in a circle spend as one, each at most once in a stack, as in gprof (Graham, Kessler, McKusick 1982). Costs of calls beyond the limits
 * go to stacks of a function alone. Returns these, by column.
 */
export function addCallGraph(builder: ProfileBuilder, graph: CallGraph, sampled: Sampled): Costs {
  const grouped = groupGraph(graph, sampled.maxCalls);
  return new StackMaker(builder, graph, grouped, sampled).run(
    grouped.roots.map(({ node, costs }) => ({ entry: node, caller: NO_STACK, costs })),
  );
}

class StackMaker {
  readonly #builder: ProfileBuilder;
  readonly #graph: CallGraph;
  readonly #groups: readonly GraphGroup[];
  readonly #groupOf = new Map<number, GraphGroup>();
  readonly #hasAllLines: boolean;
  readonly #sampled: Sampled;
  readonly #whole: Costs;
  readonly #waiting = new LargestFirst<Visit>();
  readonly #apportioner = new Apportioner();
  #calls = 0;
  #steps = 0;

  constructor(builder: ProfileBuilder, graph: CallGraph, { groups, hasAllLines }: GroupedGraph, sampled: Sampled) {
    this.#builder = builder;
    this.#graph = graph;
    this.#groups = groups;
    this.#hasAllLines = hasAllLines;
    this.#sampled = sampled;
    this.#whole = new Float64Array(graph.columns);
    for (const group of groups) for (const member of group.members) this.#groupOf.set(member, group);
  }

  run(roots: readonly Omit<Visit, 'group' | 'share'>[]): Costs {
    for (const { costs } of roots) costs.forEach((cost, column) => (this.#whole[column]! += cost));
    for (const root of roots) this.#call(root);
    while (this.#calls < this.#sampled.maxCalls && this.#steps < MAX_STEPS) {
      const visit = this.#waiting.take();
      if (visit === undefined) break;
      this.#spend(visit);
    }
    return this.#addRest();
  }

  #call(visit: Omit<Visit, 'group' | 'share'>): void {
    this.#calls += 1;
    let share = 0;
    visit.costs.forEach((cost, column) => {
      if (cost > 0) share = Math.max(share, cost / this.#whole[column]!);
    });
    this.#waiting.add(share, { ...visit, share, group: this.#groupOf.get(visit.entry)! });
  }

  #spend(visit: Visit): void {
    const { group, costs, share } = visit;
    const parts = this.#partsOf(group, costs);
    const callers = new Map([[visit.entry, visit.caller]]);
    const own = new Map<StackIndex, Costs>();
    for (const row of rowsWithCosts(parts, costs.length)) {
      const { member, line, on } = group.spendings[row]!;
      const part = parts.slice(row * costs.length, (row + 1) * costs.length);
      const hasLine = on !== 'self' || this.#hasAllLines || share >= LEAST_LINE_SHARE;
      const stack = this.#builder.stack(
        this.#callerOf(member, visit, callers),
        this.#frame(member, hasLine ? line : 0),
      );
      if (typeof on !== 'string') this.#call({ entry: on.callee, caller: stack, costs: part });
      else {
        const leaf = on === 'self' ? stack : this.#builder.stack(stack, this.#made('(not attributed)'));
        const costsThere = own.get(leaf);
        if (costsThere === undefined) own.set(leaf, part);
        else addTo(costsThere, part);
      }
    }
    for (const [stack, part] of own) this.#sample(stack, part);
  }

  /** Takes `costs` from what a group has left to spend; by spending and column. */
  #partsOf({ remaining, sum }: GraphGroup, costs: Costs): Float64Array {
    const parts = new Float64Array(remaining.length);
    this.#steps += parts.length;
    for (let column = 0; column < costs.length; column++) {
      if (costs[column] === 0) continue;
      this.#apportioner.divide(costs[column]!, remaining, sum[column]!, parts, column, costs.length);
      sum[column]! -= costs[column]!;
    }
    for (let at = 0; at < parts.length; at++) remaining[at]! -= parts[at]!;
    return parts;
  }

  /** The stack that calls `member`; `callers`: those that are known of this visit. */
  #callerOf(member: number, { group, entry }: Visit, callers: Map<number, StackIndex>): StackIndex {
    const path: number[] = [];
    for (let at = member; !callers.has(at); at = group.wayTo(at, entry)!.caller) path.push(at);
    for (const node of path.reverse()) {
      const { caller } = group.wayTo(node, entry)!;
      callers.set(node, this.#builder.stack(callers.get(caller)!, this.#frame(caller, 0)));
    }
    return callers.get(member)!;
  }

  #addRest(): Costs {
    const { columns } = this.#graph;
    const rest = new Float64Array(columns);
    for (const { spendings, remaining } of this.#groups) {
      for (const row of rowsWithCosts(remaining, columns)) {
        const { member, line, on } = spendings[row]!;
        if (typeof on !== 'string') continue;
        const part = remaining.slice(row * columns, (row + 1) * columns);
        addTo(rest, part);
        const root = this.#builder.stack(NO_STACK, this.#made('(calls too small to follow)'));
        const stack = this.#builder.stack(root, this.#frame(member, line));
        this.#sample(on === 'self' ? stack : this.#builder.stack(stack, this.#made('(not attributed)')), part);
      }
    }
    return rest;
  }

  #frame(node: number, line: number): FrameIndex {
    return this.#builder.frame({ func: this.#graph.nodes[node]!.func, line });
  }

  #made(name: string): FrameIndex {
    return this.#builder.frame({ func: this.#builder.function({ name, kind: FunctionKind.synthetic }) });
  }

  #sample(stack: StackIndex, costs: Costs): void {
    const { thread, labelSet, scales } = this.#sampled;
    this.#builder.sample({ stack, thread, labelSet }, ...scales.map((scale, column) => costs[column]! * scale));
  }
}

/** Rows of `columns` numbers of which one is more than 0. */
function rowsWithCosts(numbers: Float64Array, columns: number): number[] {
  const rows: number[] = [];
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at]! <= 0) continue;
    const row = Math.floor(at / columns);
    rows.push(row);
    at = (row + 1) * columns - 1;
  }
  return rows;
}
