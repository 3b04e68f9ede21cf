import { NO_STACK, type FunctionIndex, type StackIndex, type ThreadIndex } from '../../model/brand.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { Apportioner, LargestFirst } from './apportion.ts';
import { waysThroughCycle } from './call-graph-cycles.ts';
import { groupGraph, type Costs, type GroupedGraph } from './call-graph-groups.ts';
import { SELF, type CallGraph } from './call-graph.ts';

/** More stacks than a window can show; the most expensive come first, so little is left. */
const MAX_CALLS = 150_000;
/** Bounds the time for functions with very many lines and calls. */
const MAX_STEPS = 20_000_000;
/**
 * Maximum number of calls examined to find paths through cycles; bounds the time if there are very many ways into them.
 */
const MAX_WAYS = 5_000_000;
/** If there are too many paths to follow, own costs of calls with a smaller share than this are not split by line. */
const LEAST_LINE_SHARE = 1e-4;

/** How the graph of a section is sampled. */
interface SampledSection {
  readonly thread: ThreadIndex;
  readonly labelSet: number | undefined;
}

/** What the stacks of a graph can't represent. */
interface Approximation {
  /** The largest share of an event's costs that is in functions without their callers. */
  readonly unfollowed: number;
  /** Number of functions that call one another in cycles. */
  readonly circled: number;
  /** Excess of calls' costs over their callees' spendings, by column; it is in no stack. */
  readonly claimed: Costs;
}

/**
 * Adds a call graph as stacks. A function spends in the same proportions wherever it is called. All numbers stay
 * integers; own costs of functions and lines are exact and sum up to the whole, and costs of calls are exact if their
 * callees spend as much (see `groupGraph`). Functions that call one another in a cycle spend as one, each at most once
 * in a stack, as in gprof (Graham, Kessler, McKusick 1982). Costs of calls beyond `maxCalls` go to stacks of a function
 * alone. `scales` is the weight of one unit of the graph's costs, by column.
 */
export function addCallGraph(
  builder: ProfileBuilder,
  graph: CallGraph,
  sections: readonly SampledSection[],
  scales: readonly number[],
  maxCalls = MAX_CALLS,
): Approximation {
  // Each call of the file can be shown once, however many there are.
  const grouped = groupGraph(graph, maxCalls);
  const limit = maxCalls + grouped.callee.length;
  const unfollowed = new StackMaker(builder, graph, grouped, { sections, scales }).run(limit);
  const circled = grouped.groups.reduce((count, { length }) => count + (length > 1 ? length : 0), 0);
  return { unfollowed, circled, claimed: grouped.claimed };
}

/** A call of a group, and its costs there. */
interface Visit {
  readonly entry: number;
  readonly caller: StackIndex;
  readonly costs: Costs;
  /** Share of the whole graph's costs, in the column in which it is largest. */
  readonly share: number;
}

interface Sampling {
  readonly sections: readonly SampledSection[];
  readonly scales: readonly number[];
}

class StackMaker {
  readonly #builder: ProfileBuilder;
  readonly #graph: CallGraph;
  readonly #grouped: GroupedGraph;
  readonly #sampling: Sampling;
  readonly #whole: Costs;
  /** Like the graph's spendings and sums by group, without what has been spent. */
  readonly #remaining: Float64Array;
  readonly #sums: Float64Array;
  readonly #waiting = new LargestFirst<Visit>();
  readonly #apportioner = new Apportioner();
  readonly #ways = new Map<number, ReadonlyMap<number, number>>();
  #waysLooked = 0;
  #calls = 0;
  #steps = 0;

  constructor(builder: ProfileBuilder, graph: CallGraph, grouped: GroupedGraph, sampling: Sampling) {
    const { columns } = graph;
    this.#builder = builder;
    this.#graph = graph;
    this.#grouped = grouped;
    this.#sampling = sampling;
    this.#remaining = grouped.costs;
    this.#sums = new Float64Array(grouped.groups.length * columns);
    this.#whole = new Float64Array(columns);
    for (const { costs } of grouped.roots) costs.forEach((cost, column) => (this.#whole[column]! += cost));
    for (let group = 0; group < grouped.groups.length; group++) {
      for (let at = grouped.starts[group]! * columns; at < grouped.starts[group + 1]! * columns; at++) {
        this.#sums[group * columns + (at % columns)]! += grouped.costs[at]!;
      }
    }
  }

  /** Returns the largest share of a column that was not followed. */
  run(maxCalls: number): number {
    for (const { node, costs } of this.#grouped.roots) this.#call(node, NO_STACK, costs);
    for (let visit = this.#waiting.take(); visit !== undefined; visit = this.#waiting.take()) {
      if (this.#steps > MAX_STEPS) break;
      // Beyond the limit, functions that call nothing still get their callers.
      if (this.#calls < maxCalls || this.#callsNone(visit.entry)) this.#spend(visit);
    }
    return this.#addRest();
  }

  #call(entry: number, caller: StackIndex, costs: Costs): void {
    this.#calls += 1;
    let share = 0;
    for (let column = 0; column < costs.length; column++) {
      if (costs[column]! > 0) share = Math.max(share, costs[column]! / this.#whole[column]!);
    }
    this.#waiting.add(share, { entry, caller, costs, share });
  }

  #callsNone(node: number): boolean {
    const { groupOf, starts, callee } = this.#grouped;
    const group = groupOf[node]!;
    for (let spending = starts[group]!; spending < starts[group + 1]!; spending++) {
      if (callee[spending]! >= 0) return false;
    }
    return true;
  }

  #spend(visit: Visit): void {
    const { entry, caller, costs, share } = visit;
    const { groupOf, starts, member, callee, line, hasAllLines } = this.#grouped;
    const first = starts[groupOf[entry]!]!;
    const parts = this.#partsOf(groupOf[entry]!, costs);
    const callers = new Map([[entry, caller]]);
    const own = new Map<StackIndex, Costs>();
    for (const row of rowsWithCosts(parts, costs.length)) {
      const spending = first + row;
      const part = parts.slice(row * costs.length, (row + 1) * costs.length);
      const called = callee[spending]!;
      const hasLine = called !== SELF || hasAllLines || share >= LEAST_LINE_SHARE;
      const node = member[spending]!;
      const stack = this.#stack(this.#callerOf(node, entry, callers), node, hasLine ? line[spending]! : 0);
      if (called >= 0) this.#call(called, stack, part);
      else addTo(own, stack, part);
    }
    for (const [stack, part] of own) this.#sample(entry, stack, part);
  }

  /** Takes `costs` from what a group has left to spend; returns the parts by spending and column. */
  #partsOf(group: number, costs: Costs): Float64Array {
    const { starts } = this.#grouped;
    const columns = costs.length;
    const remaining = this.#remaining.subarray(starts[group]! * columns, starts[group + 1]! * columns);
    const parts = new Float64Array(remaining.length);
    this.#steps += parts.length;
    for (let column = 0; column < columns; column++) {
      if (costs[column] === 0) continue;
      const sum = this.#sums[group * columns + column]!;
      this.#apportioner.divide(costs[column]!, remaining, sum, parts, column, columns);
      this.#sums[group * columns + column] = sum - costs[column]!;
    }
    for (let at = 0; at < parts.length; at++) remaining[at]! -= parts[at]!;
    return parts;
  }

  /** Returns the stack that calls a member of a group entered at `entry`; `callers` holds the known ones. */
  #callerOf(node: number, entry: number, callers: Map<number, StackIndex>): StackIndex {
    const path: number[] = [];
    for (let at = node; !callers.has(at); at = this.#wayTo(at, entry)) path.push(at);
    for (const called of path.reverse()) {
      const caller = this.#wayTo(called, entry);
      callers.set(called, this.#stack(callers.get(caller)!, caller, 0));
    }
    return callers.get(node)!;
  }

  /** Returns the member that calls `node` if the group was entered at `entry`. */
  #wayTo(node: number, entry: number): number {
    let ways = this.#ways.get(entry);
    if (ways === undefined) {
      const { groupOf, groups } = this.#grouped;
      const group = groupOf[entry]!;
      for (const member of groups[group]!)
        this.#waysLooked += this.#graph.starts[member + 1]! - this.#graph.starts[member]!;
      ways =
        this.#waysLooked > MAX_WAYS
          ? new Map<number, number>()
          : waysThroughCycle(this.#graph, (other) => groupOf[other] === group, entry);
      this.#ways.set(entry, ways);
    }
    return ways.get(node) ?? entry;
  }

  #addRest(): number {
    const { columns } = this.#graph;
    const { member, callee, line } = this.#grouped;
    const rest = new Float64Array(columns);
    for (const spending of rowsWithCosts(this.#remaining, columns)) {
      if (callee[spending]! >= 0) continue;
      const part = this.#remaining.slice(spending * columns, (spending + 1) * columns);
      for (let column = 0; column < columns; column++) rest[column]! += part[column]!;
      const func = this.#builder.function({ name: '(calls too small to follow)', kind: FunctionKind.synthetic });
      const root = this.#builder.stack(NO_STACK, this.#builder.frame({ func }));
      const stack = this.#stack(root, member[spending]!, line[spending]!);
      this.#sample(member[spending]!, stack, part);
    }
    return Math.max(...rest.map((cost, column) => (cost === 0 ? 0 : cost / this.#whole[column]!)));
  }

  #stack(caller: StackIndex, node: number, line: number): StackIndex {
    const func = this.#graph.func[node]! as FunctionIndex;
    return this.#builder.stack(caller, this.#builder.frame({ func, line }));
  }

  /** `node` may be any node of the section. */
  #sample(node: number, stack: StackIndex, costs: Costs): void {
    const { sections, scales } = this.#sampling;
    const { thread, labelSet } = sections[this.#graph.section[node]!]!;
    this.#builder.sample({ stack, thread, labelSet }, ...scales.map((scale, column) => costs[column]! * scale));
  }
}

function addTo(sums: Map<StackIndex, Costs>, stack: StackIndex, costs: Costs): void {
  const sum = sums.get(stack);
  if (sum === undefined) sums.set(stack, costs);
  else for (let column = 0; column < sum.length; column++) sum[column]! += costs[column]!;
}

/** Returns the rows of `columns` numbers that contain one greater than 0. */
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
