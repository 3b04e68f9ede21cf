import { SELF, type CallGraph } from './call-graph.ts';
import { LargestFirst } from './apportion.ts';

/**
 * Returns functions that call one another in a cycle as one group each; every other function is a group of its own.
 * Callees come before callers. Tarjan's algorithm (doi:10.1137/0201010), without recursion.
 */
export function findCycles({ section, starts, callee }: CallGraph): number[][] {
  const count = section.length;
  const order = new Int32Array(count).fill(-1);
  const lowest = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const nextItem = starts.slice();
  const open: number[] = [];
  const groups: number[][] = [];
  const path: number[] = [];
  let next = 0;
  const enter = (node: number): void => {
    order[node] = lowest[node] = next++;
    isOpen[node] = 1;
    open.push(node);
    path.push(node);
  };
  for (let root = 0; root < count; root++) {
    if (order[root]! < 0) enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (nextItem[node]! < starts[node + 1]!) {
        const called = callee[nextItem[node]!++]!;
        if (called === SELF) continue;
        if (order[called]! < 0) enter(called);
        else if (isOpen[called] === 1) lowest[node] = Math.min(lowest[node]!, order[called]!);
        continue;
      }
      path.pop();
      const caller = path.at(-1);
      if (caller !== undefined) lowest[caller] = Math.min(lowest[caller]!, lowest[node]!);
      if (lowest[node] === order[node]) groups.push(closeGroup(node, open, isOpen));
    }
  }
  return groups;
}

/** Closes the group of everything opened since `first`, including it. */
function closeGroup(first: number, open: number[], isOpen: Uint8Array): number[] {
  const group: number[] = [];
  for (let member = -1; member !== first;) {
    member = open.pop()!;
    isOpen[member] = 0;
    group.push(member);
  }
  return group;
}

/**
 * Returns, for each member of a cycle, the node that calls it when the cycle is entered at `entry`: always follows the
 * most expensive call (by the first column) of a member that was not called before. `isMember` is false for nodes
 * outside the cycle.
 */
export function waysThroughCycle(
  { starts, caller, callee, costs, columns }: CallGraph,
  isMember: (node: number) => boolean,
  entry: number,
): ReadonlyMap<number, number> {
  const ways = new Map<number, number>();
  const calls = new LargestFirst<number>();
  const isNew = (node: number): boolean => node !== entry && isMember(node) && !ways.has(node);
  const offer = (node: number): void => {
    for (let item = starts[node]!; item < starts[node + 1]!; item++) {
      if (callee[item] !== SELF && isNew(callee[item]!)) calls.add(costs[item * columns]!, item);
    }
  };
  offer(entry);
  for (let item = calls.take(); item !== undefined; item = calls.take()) {
    const node = callee[item]!;
    if (!isNew(node)) continue;
    ways.set(node, caller[item]!);
    offer(node);
  }
  return ways;
}
