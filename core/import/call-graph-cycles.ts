import type { CallGraph, GraphCall } from './call-graph.ts';
import { LargestFirst } from './largest-first.ts';

/**
 * Functions that call one another in a circle, as one group each; every other function is a group of its own. Callees come before callers.
 * Tarjan's algorithm (doi:10.1137/0201010), without recursion.
 */
export function findCycles(graph: CallGraph): number[][] {
  const count = graph.nodes.length;
  const order = new Int32Array(count).fill(-1);
  const lowest = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  const groups: number[][] = [];
  let next = 0;
  const enter = (node: number): Iterator<GraphCall> => {
    order[node] = lowest[node] = next++;
    isOpen[node] = 1;
    open.push(node);
    return graph.nodes[node]!.calls.values();
  };
  for (let root = 0; root < count; root++) {
    if (order[root]! >= 0) continue;
    const path = [{ node: root, calls: enter(root) }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node, calls } = top;
      const step = calls.next();
      if (step.done !== true) {
        const { callee } = step.value;
        if (order[callee]! < 0) path.push({ node: callee, calls: enter(callee) });
        else if (isOpen[callee] === 1) lowest[node] = Math.min(lowest[node]!, order[callee]!);
        continue;
      }
      path.pop();
      const caller = path.at(-1)?.node;
      if (caller !== undefined) lowest[caller] = Math.min(lowest[caller]!, lowest[node]!);
      if (lowest[node] !== order[node]) continue;
      const group: number[] = [];
      for (let member = -1; member !== node;) {
        member = open.pop()!;
        isOpen[member] = 0;
        group.push(member);
      }
      groups.push(group);
    }
  }
  return groups;
}

/**
 * By which call each member of a cycle is reached from `entry`, by member: from there on, always the costliest call (by the first column)
 * to a member that was not reached before.
 */
export function waysThroughCycle(
  graph: CallGraph,
  members: ReadonlySet<number>,
  entry: number,
): ReadonlyMap<number, GraphCall> {
  const ways = new Map<number, GraphCall>();
  const calls = new LargestFirst<GraphCall>();
  const isNew = (node: number): boolean => members.has(node) && node !== entry && !ways.has(node);
  const offer = (node: number): void => {
    for (const call of graph.nodes[node]!.calls.values()) if (isNew(call.callee)) calls.add(call.inclusive[0]!, call);
  };
  offer(entry);
  for (let call = calls.take(); call !== undefined; call = calls.take()) {
    if (!isNew(call.callee)) continue;
    ways.set(call.callee, call);
    offer(call.callee);
  }
  return ways;
}
