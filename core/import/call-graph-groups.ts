import { findCycles, waysThroughCycle } from './call-graph-cycles.ts';
import { addTo, type CallGraph, type Costs, type GraphCall } from './call-graph.ts';

/** What a group spends on its members' own lines, on calls of functions outside of it, and on what is not known. */
export interface Spending {
  readonly member: number;
  readonly line: number;
  readonly on: GraphCall | 'self' | 'unknown';
}

interface CostlySpending extends Spending {
  readonly costs: Costs;
}

/** A function, or functions that call one another in a circle, with costs that have no stack yet. */
export class GraphGroup {
  readonly members: readonly number[];
  readonly spendings: readonly Spending[];
  /** Of each spending and column: `spending * columns + column`. */
  readonly remaining: Float64Array;
  /** Of all spendings, by column. */
  readonly sum: Costs;
  readonly #graph: CallGraph;
  readonly #ways = new Map<number, ReadonlyMap<number, GraphCall>>();

  constructor(graph: CallGraph, members: readonly number[], spendings: readonly CostlySpending[]) {
    this.#graph = graph;
    this.members = members;
    this.spendings = spendings;
    this.sum = new Float64Array(graph.columns);
    this.remaining = new Float64Array(spendings.length * graph.columns);
    spendings.forEach(({ costs }, row) => {
      this.remaining.set(costs, row * graph.columns);
      addTo(this.sum, costs);
    });
  }

  /** By which call a member is reached within the group where `entry` was called from outside; undefined: it is `entry`. */
  wayTo(member: number, entry: number): GraphCall | undefined {
    if (this.members.length === 1) return undefined;
    let ways = this.#ways.get(entry);
    if (ways === undefined) this.#ways.set(entry, (ways = waysThroughCycle(this.#graph, new Set(this.members), entry)));
    return ways.get(member);
  }
}

/** Costs that no call brings: where stacks begin. */
export interface Root {
  readonly node: number;
  readonly costs: Costs;
}

/** A graph by groups, callees before callers. */
export interface GroupedGraph {
  readonly groups: readonly GraphGroup[];
  readonly roots: readonly Root[];
  /** Calls of one function from several lines are told apart. */
  readonly hasAllLines: boolean;
}

/**
 * The groups of a graph, each with what it spends, such that calls into a group bring exactly that: where they cost more, the group spends
 * the difference on nothing that is known; where less, the rest is a root's. If more than `maxPaths` lead through the graph, calls of one
 * function from several lines are one, of no line that is known.
 */
export function groupGraph(graph: CallGraph, maxPaths: number): GroupedGraph {
  const cycles = findCycles(graph);
  const groupOf = new Int32Array(graph.nodes.length);
  cycles.forEach((members, group) => members.forEach((member) => (groupOf[member] = group)));
  const spendings = cycles.map((members, row) =>
    members.flatMap((member) => spendingsOf(graph, member, (callee) => groupOf[callee] !== row)),
  );
  const hasAllLines = countPaths(spendings, groupOf) <= maxPaths;
  const roots: Root[] = [];
  const brought = broughtTo(graph, groupOf, cycles.length);
  const groups = cycles.map((members, row) => {
    const node = costliest(graph, members);
    const listed = hasAllLines ? spendings[row]! : withoutLinesOfCalls(spendings[row]!);
    const spent = new Float64Array(graph.columns);
    for (const { costs } of listed) addTo(spent, costs);
    const rest = beyond(spent, brought[row]!);
    if (isCostly(rest)) roots.push({ node, costs: rest });
    const costs = beyond(brought[row]!, spent);
    return new GraphGroup(
      graph,
      members,
      isCostly(costs) ? [...listed, { member: node, line: 0, on: 'unknown', costs }] : listed,
    );
  });
  return { groups, roots, hasAllLines };
}

/** What calls from outside bring to each group. */
function broughtTo(graph: CallGraph, groupOf: Int32Array, groupCount: number): Costs[] {
  const brought = Array.from({ length: groupCount }, () => new Float64Array(graph.columns));
  for (const { calls } of graph.nodes) {
    for (const { caller, callee, inclusive } of calls.values()) {
      if (groupOf[caller] !== groupOf[callee]) addTo(brought[groupOf[callee]!]!, inclusive);
    }
  }
  return brought;
}

/** How many paths of calls lead from where nothing calls to anywhere. `spendings`: by group, callees before callers. */
function countPaths(spendings: readonly (readonly Spending[])[], groupOf: Int32Array): number {
  const paths = new Float64Array(spendings.length);
  let all = 0;
  for (let group = spendings.length - 1; group >= 0; group--) {
    const here = Math.max(1, paths[group]!);
    all += here;
    for (const { on } of spendings[group]!) if (typeof on !== 'string') paths[groupOf[on.callee]!]! += here;
  }
  return all;
}

function withoutLinesOfCalls(spendings: readonly CostlySpending[]): CostlySpending[] {
  const calls = new Map<string, CostlySpending>();
  for (const spending of spendings) {
    const { member, on, costs } = spending;
    if (typeof on === 'string') continue;
    const key = `${member} ${on.callee}`;
    const before = calls.get(key);
    if (before === undefined) calls.set(key, spending);
    else calls.set(key, { ...before, line: 0, costs: costs.map((cost, column) => cost + before.costs[column]!) });
  }
  return [...spendings.filter(({ on }) => on === 'self'), ...calls.values()];
}

const beyond = (more: Costs, less: Costs): Costs => more.map((cost, column) => Math.max(0, cost - less[column]!));
const isCostly = (costs: Costs): boolean => costs.some((cost) => cost > 0);

function spendingsOf(graph: CallGraph, member: number, isOutside: (callee: number) => boolean): CostlySpending[] {
  const { self, calls } = graph.nodes[member]!;
  return [
    ...[...self].map(([line, costs]) => ({ member, line, on: 'self' as const, costs })),
    ...[...calls.values()]
      .filter(({ callee }) => isOutside(callee))
      .map((call) => ({ member, line: call.line, on: call, costs: call.inclusive })),
  ].filter(({ costs }) => isCostly(costs));
}

/** The member whose own costs and calls are the largest, by the first column. */
function costliest(graph: CallGraph, members: readonly number[]): number {
  let best = members[0]!;
  let most = -1;
  for (const member of members.length === 1 ? [] : members) {
    const { self, calls } = graph.nodes[member]!;
    let costs = 0;
    for (const own of self.values()) costs += own[0]!;
    for (const { inclusive } of calls.values()) costs += inclusive[0]!;
    if (costs > most) [best, most] = [member, costs];
  }
  return best;
}
