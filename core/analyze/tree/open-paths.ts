import type { CallTree } from '../view/stack-view.ts';

/** An open row of a tree that another one lacks. */
export interface OpenPath {
  /** The open rows below it, by function. */
  readonly below: OpenPaths;
}
export type OpenPaths = ReadonlyMap<number, OpenPath>;

/** The rows of a tree that are open, and the open rows of earlier trees that are missing from it. */
export interface OpenRows {
  readonly tree: CallTree;
  isOpen(node: number): boolean;
  /** Returns the rows below a node that were open in earlier trees and have no callees in this one. */
  absentBelow(node: number): OpenPaths | undefined;
}

type Opened = number | OpenPath;

/** Maximum number of open rows that are kept for trees to come; others are closed when they come back. */
const MAX_ABSENT = 10_000;

/**
 * Opens the nodes of `tree` whose function paths are open in `other`, and closes the others. Returns the open rows that
 * the tree lacks, by the node below which they belong.
 */
export function copyOpen(other: OpenRows, tree: CallTree, open: Uint8Array): Map<number, OpenPaths> {
  const absent = new Map<number, Map<number, OpenPath>>();
  const budget = { left: MAX_ABSENT };
  open.fill(0);
  // A tree without samples has nothing to close.
  const pairs: [Opened, number][] = other.isOpen(0) || other.tree.length === 1 ? [[0, 0]] : [];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [from, to] = pair;
    if (tree.end[to]! > to + 1) open[to] = 1;
    const find = childFinder(tree, to);
    for (const [func, opened] of openedBelow(other, from)) {
      const same = find(func);
      if (same >= 0 && tree.end[same]! > same + 1) pairs.push([opened, same]);
      else if (budget.left-- > 0) {
        const below = keptPaths(other, opened, budget);
        absent.set(to, (absent.get(to) ?? new Map<number, OpenPath>()).set(func, { below }));
      }
    }
  }
  return absent;
}

function* openedBelow(other: OpenRows, from: Opened): Iterable<readonly [number, Opened]> {
  if (typeof from !== 'number') return yield* from.below;
  const { end, func } = other.tree;
  for (let child = from + 1; child < end[from]!; child = end[child]!) {
    if (other.isOpen(child)) yield [func[child]!, child];
  }
  yield* other.absentBelow(from) ?? [];
}

function keptPaths(other: OpenRows, from: Opened, budget: { left: number }): OpenPaths {
  const all = new Map<number, OpenPath>();
  const work: [Opened, Map<number, OpenPath>][] = [[from, all]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [at, into] = next;
    for (const [func, opened] of openedBelow(other, at)) {
      if (budget.left-- <= 0) return all;
      const below = new Map<number, OpenPath>();
      into.set(func, { below });
      work.push([opened, below]);
    }
  }
  return all;
}

/** A set of nodes with their callers, callers first; it finds the nodes again in another tree of the same functions. */
export interface NodePaths {
  /** → rows of the set; −1 for the tree's root. */
  readonly parent: Int32Array;
  readonly func: Int32Array;
  /** 1 for a node of the set, 0 for a node that is there only as a caller. */
  readonly chosen: Uint8Array;
}

export function pathsOfNodes({ parent, func }: CallTree, nodes: Int32Array): NodePaths {
  const all = new Set<number>();
  for (const node of nodes) for (let at = node; at >= 0 && !all.has(at); at = parent[at]!) all.add(at);
  const rows = Int32Array.from(all).sort();
  const place = new Map([...rows].map((node, row) => [node, row]));
  const chosen = new Uint8Array(rows.length);
  for (const node of nodes) chosen[place.get(node)!] = 1;
  return {
    parent: rows.map((node) => place.get(parent[node]!) ?? -1),
    func: rows.map((node) => func[node]!),
    chosen,
  };
}

/** Finds the chosen nodes in another tree, and returns them in the same order; −1 for a node that is missing there. */
export function nodesOfPaths(tree: CallTree, { parent, func, chosen }: NodePaths): Int32Array {
  const found = new Int32Array(parent.length);
  const finders = new Map<number, ReturnType<typeof childFinder>>();
  for (let row = 1; row < parent.length; row++) {
    const caller = found[parent[row]!]!;
    let find = finders.get(caller);
    if (find === undefined && caller >= 0) finders.set(caller, (find = childFinder(tree, caller)));
    found[row] = find?.(func[row]!) ?? -1;
  }
  return found.filter((_, row) => chosen[row] === 1);
}

/** Up to this many children are searched linearly. */
const FEW = 8;

/** Returns a function that finds a node's first child with the given function, or −1. */
function childFinder({ end, func }: CallTree, node: number): (wanted: number) => number {
  const stop = end[node]!;
  let count = 0;
  for (let child = node + 1; child < stop && count <= FEW; child = end[child]!) count += 1;
  if (count <= FEW) {
    return (wanted) => {
      let child = node + 1;
      while (child < stop && func[child] !== wanted) child = end[child]!;
      return child < stop ? child : -1;
    };
  }
  const rows = new Map<number, number>();
  for (let child = node + 1; child < stop; child = end[child]!)
    if (!rows.has(func[child]!)) rows.set(func[child]!, child);
  return (wanted) => rows.get(wanted) ?? -1;
}
