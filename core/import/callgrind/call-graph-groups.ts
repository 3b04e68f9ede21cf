import { Apportioner } from './apportion.ts';
import { findCycles } from './call-graph-cycles.ts';
import { SELF, type CallGraph } from './call-graph.ts';

/** Costs by column. */
export type Costs = Float64Array;

/** Costs that no call accounts for: stacks begin here. */
export interface Root {
  readonly node: number;
  readonly costs: Costs;
}

/**
 * A graph by groups: functions, or functions that call one another in a cycle. A group's spendings are its members' own
 * costs and their calls of other groups; they sum up to what calls and roots bring to the group, and roots sum up to
 * all own costs.
 */
export interface GroupedGraph {
  /** Members by group. */
  readonly groups: readonly (readonly number[])[];
  /** By node. */
  readonly groupOf: Int32Array;
  /** By group, plus one: its spendings are those from here to before the next group's. */
  readonly starts: Int32Array;
  /** By spending: the member. */
  readonly member: readonly number[];
  /** By spending: a node or {@link SELF}. */
  readonly callee: readonly number[];
  /** By spending, line of the member; 0: unknown. */
  readonly line: readonly number[];
  /** By spending and column: `spending * columns + column`. */
  readonly costs: Float64Array;
  readonly roots: readonly Root[];
  /** Calls of one function from several lines are distinguished. */
  readonly hasAllLines: boolean;
  /** Excess of calls' costs over their callees' spendings, by column. */
  readonly claimed: Costs;
}

/**
 * If calls cost more than the group that they call spends, each of them is reduced in proportion; if they cost less,
 * the rest goes to a root. If the graph has more than `maxPaths` paths, calls of one function from several lines are
 * merged, without a line.
 */
export function groupGraph(asWritten: CallGraph, maxPaths: number): GroupedGraph {
  const groups = findCycles(asWritten);
  const groupOf = new Int32Array(asWritten.section.length);
  groups.forEach((members, group) => members.forEach((member) => (groupOf[member] = group)));
  const hasAllLines = countPaths(asWritten, groups, groupOf) <= maxPaths;
  const { graph, claimed, brought } = cutClaims(asWritten, groups, groupOf);
  const starts = new Int32Array(groups.length + 1);
  const list = new SpendingList(graph.columns);
  const roots: Root[] = [];
  groups.forEach((members, group) => {
    for (const member of members) list.addItems(graph, groupOf, member, hasAllLines);
    const spent = list.sumFrom(starts[group]!);
    const bring = brought.subarray(group * graph.columns, (group + 1) * graph.columns);
    const node = costliest(graph, members);
    const rest = beyond(spent, bring);
    if (isCostly(rest)) roots.push({ node, costs: rest });
    starts[group + 1] = list.length;
  });
  const { member, callee, line } = list;
  return {
    groups,
    groupOf,
    starts,
    member,
    callee,
    line,
    costs: Float64Array.from(list.costs),
    roots,
    hasAllLines,
    claimed,
  };
}

/**
 * Returns the graph with calls that cost at most what the groups that they call spend, and what calls from outside bring
 * to each group: `group * columns + column`. `groups`: callees before callers.
 */
function cutClaims(
  graph: CallGraph,
  groups: readonly (readonly number[])[],
  groupOf: Int32Array,
): { readonly graph: CallGraph; readonly claimed: Costs; readonly brought: Costs } {
  const { columns, starts, callee } = graph;
  const costs = graph.costs.slice();
  const claimed = new Float64Array(columns);
  const brought = new Float64Array(groups.length * columns);
  const apportioner = new Apportioner();
  const callsOf = callsInto(graph, groupOf, groups.length);
  groups.forEach((members, group) => {
    const spent = new Float64Array(columns);
    for (const member of members) {
      for (let item = starts[member]!; item < starts[member + 1]!; item++) {
        if (callee[item] !== SELF && groupOf[callee[item]!] === group) continue;
        for (let column = 0; column < columns; column++) spent[column]! += costs[item * columns + column]!;
      }
    }
    const calls = callsOf.items.subarray(callsOf.starts[group], callsOf.starts[group + 1]);
    for (let column = 0; column < columns; column++) {
      const shares = Float64Array.from(calls, (item) => costs[item * columns + column]!);
      const claim = shares.reduce((sum, share) => sum + share, 0);
      brought[group * columns + column] = Math.min(claim, spent[column]!);
      if (claim <= spent[column]!) continue;
      claimed[column]! += claim - spent[column]!;
      const parts = new Float64Array(shares.length);
      apportioner.divide(spent[column]!, shares, claim, parts);
      calls.forEach((item, at) => (costs[item * columns + column] = parts[at]!));
    }
  });
  return { graph: { ...graph, costs }, claimed, brought };
}

/**
 * Returns the items that call a group from outside: those of group g are `items[starts[g]]` to before `items[starts[g +
 * 1]]`.
 */
function callsInto(
  { caller, callee }: CallGraph,
  groupOf: Int32Array,
  groupCount: number,
): { readonly items: Int32Array; readonly starts: Int32Array } {
  const isCall = (item: number): boolean => callee[item] !== SELF && groupOf[callee[item]!] !== groupOf[caller[item]!];
  const starts = new Int32Array(groupCount + 1);
  for (let item = 0; item < callee.length; item++) if (isCall(item)) starts[groupOf[callee[item]!]! + 1]! += 1;
  for (let group = 0; group < groupCount; group++) starts[group + 1]! += starts[group]!;
  const next = starts.slice();
  const items = new Int32Array(starts[groupCount]!);
  for (let item = 0; item < callee.length; item++) {
    if (isCall(item)) items[next[groupOf[callee[item]!]!]!++] = item;
  }
  return { items, starts };
}

const beyond = (more: Costs, less: Costs): Costs => more.map((cost, column) => Math.max(0, cost - less[column]!));
const isCostly = (costs: Costs): boolean => costs.some((cost) => cost > 0);

class SpendingList {
  readonly member: number[] = [];
  readonly callee: number[] = [];
  readonly line: number[] = [];
  readonly costs: number[] = [];
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  get length(): number {
    return this.member.length;
  }

  /** Adds nothing if the costs are zero. */
  add(member: number, callee: number, line: number, costs: Costs): void {
    if (!isCostly(costs)) return;
    this.member.push(member);
    this.callee.push(callee);
    this.line.push(line);
    for (const cost of costs) this.costs.push(cost);
  }

  addItems(graph: CallGraph, groupOf: Int32Array, node: number, hasAllLines: boolean): void {
    const { columns, starts, callee, line, costs } = graph;
    /** Spending by callee. */
    const known = new Map<number, number>();
    for (let item = starts[node]!; item < starts[node + 1]!; item++) {
      const called = callee[item]!;
      if (called !== SELF && groupOf[called] === groupOf[node]) continue;
      const before = hasAllLines ? undefined : known.get(called);
      const itemCosts = costs.subarray(item * columns, (item + 1) * columns);
      if (before === undefined) {
        if (called !== SELF && isCostly(itemCosts)) known.set(called, this.length);
        this.add(node, called, line[item]!, itemCosts);
      } else {
        this.line[before] = 0;
        for (let column = 0; column < columns; column++) this.costs[before * columns + column]! += itemCosts[column]!;
      }
    }
  }

  /** Sums the spendings from `first` on. */
  sumFrom(first: number): Costs {
    const sum = new Float64Array(this.#columns);
    for (let at = first * this.#columns; at < this.costs.length; at++) sum[at % this.#columns]! += this.costs[at]!;
    return sum;
  }
}

/** Counts the call paths from nodes without callers to any node. `groups`: callees before callers. */
function countPaths(
  { starts, callee }: CallGraph,
  groups: readonly (readonly number[])[],
  groupOf: Int32Array,
): number {
  const paths = new Float64Array(groups.length);
  let all = 0;
  for (let group = groups.length - 1; group >= 0; group--) {
    const here = Math.max(1, paths[group]!);
    all += here;
    for (const node of groups[group]!) {
      for (let item = starts[node]!; item < starts[node + 1]!; item++) {
        const called = callee[item]!;
        if (called !== SELF && groupOf[called] !== group) paths[groupOf[called]!]! += here;
      }
    }
  }
  return all;
}

/** Returns the member with the largest own costs and calls, by the first column. */
function costliest({ columns, starts, costs }: CallGraph, members: readonly number[]): number {
  let best = members[0]!;
  let most = -1;
  for (const node of members.length === 1 ? [] : members) {
    let all = 0;
    for (let item = starts[node]!; item < starts[node + 1]!; item++) all += costs[item * columns]!;
    if (all > most) [best, most] = [node, all];
  }
  return best;
}
