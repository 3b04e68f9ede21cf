import { findFunctions, type FunctionRef, type NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FoundPlace } from './answer.ts';
import type { FoundPlaces, PickedPlace, NamedPlaces } from './methods.ts';

/** Finds places of one tree in another by the names of their functions. */

interface FoundPath {
  /** The place, or its deepest caller that exists in this tree. */
  readonly node: CallNodeIndex;
  readonly exact: boolean;
}

/** A tree with its functions and the transforms that produced them. */
interface PlacesOf {
  readonly table: NamedFunctions;
  readonly tree: CallTree;
  readonly steps: ResolvedTransforms['steps'];
}

/**
 * Finds a node by the functions from below the tree's root down to it, also under their names before the transforms. If
 * a function has several nodes, the one with the greatest `weigh` is taken; nodes for which it returns null are
 * ignored.
 */
export function findPath(
  { table, tree, steps }: PlacesOf,
  path: readonly FunctionRef[],
  weigh: (node: number) => number | null = (node) => tree.total[node]!,
): FoundPath {
  const wanted = path.length === 0 ? [] : findFunctions(table, everyFunction(table), path);
  const joinsFrames = steps.some((step) => step?.kind === 'collapse-run');
  let node = 0;
  for (const named of wanted) {
    const functions = new Set(Array.from(named, (func) => shownAs(func, steps)));
    const child = heaviestChild(tree, node, functions, weigh);
    if (child >= 0) node = child;
    // Several frames may have been merged into one.
    else if (!joinsFrames || !functions.has(tree.func[node]!)) return { node: node as CallNodeIndex, exact: false };
  }
  return { node: node as CallNodeIndex, exact: true };
}

/** Returns the function after all transforms; it differs from `func` if they renamed or collapsed it. */
export function shownAs(func: number, steps: PlacesOf['steps']): number {
  let at = func;
  for (const step of steps) {
    const becomes = step !== null && 'to' in step ? (step.to[at] ?? -1) : -1;
    if (becomes >= 0) at = becomes;
  }
  return at;
}

/** Finds a selected function, and its place if this tree has it; null if no function has that name any more. */
export function findPicked(places: PlacesOf, { func, path }: PickedPlace): FoundPlace | null {
  const { table, tree, steps } = places;
  if (path !== null) {
    const { node, exact } = findPath(places, path);
    if (exact && node !== 0) return { func: tree.func[node]! as FunctionIndex, node };
  }
  const named = findFunctions(table, everyFunction(table), [func])[0]!;
  // At another granularity, a row may have the same name as the function that it replaces.
  const known = named.length < 2 ? named[0] : (named.find((one) => tree.func.includes(one)) ?? named[0]);
  return known === undefined ? null : { func: shownAs(known, steps) as FunctionIndex, node: null };
}

/** Finds the zoomed and selected places of another analysis in this one. */
export function findPlaces(places: PlacesOf, { zoom, picked }: NamedPlaces): FoundPlaces {
  return { zoomNode: findPath(places, zoom).node, picked: picked === null ? null : findPicked(places, picked) };
}

/** Returns the node reached from the root along the functions; null if there is none. */
export function nodeAt(tree: CallTree, path: Iterable<number>): CallNodeIndex | null {
  let found = 0;
  for (const func of path) {
    let child = found + 1;
    while (child < tree.end[found]! && tree.func[child] !== func) child = tree.end[child]!;
    if (child >= tree.end[found]!) return null;
    found = child;
  }
  return found as CallNodeIndex;
}

/**
 * Returns the place of a stack's leaf, where `stack` is leaf first: the end of the stack or, in a bottom-up tree, its
 * start. Null if the stack is empty.
 */
export function placeOfLeaf(tree: CallTree, stack: Int32Array): FoundPlace | null {
  const func = stack[0];
  if (func === undefined) return null;
  const path = tree.direction === 'top-down' ? stack.slice().reverse() : stack.subarray(0, 1);
  return { func: func as FunctionIndex, node: nodeAt(tree, path) };
}

/** Returns the function's row with the greatest total; null if there is none. */
export function heaviestRow(tree: CallTree, func: number): CallNodeIndex | null {
  let heaviest = -1;
  for (let row = 1; row < tree.length; row++) {
    if (tree.func[row] === func && (heaviest < 0 || tree.total[row]! > tree.total[heaviest]!)) heaviest = row;
  }
  return heaviest < 0 ? null : (heaviest as CallNodeIndex);
}

const everyFunction = ({ functions }: NamedFunctions): Uint8Array => new Uint8Array(functions.length).fill(1);

/** Returns the heaviest child that belongs to one of these functions; −1 if there is none. */
function heaviestChild(
  tree: CallTree,
  node: number,
  functions: ReadonlySet<number>,
  weigh: (node: number) => number | null,
): number {
  let heaviest = -1;
  let most = -Infinity;
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    if (!functions.has(tree.func[child]!)) continue;
    const weight = weigh(child);
    if (weight === null || weight <= most) continue;
    heaviest = child;
    most = weight;
  }
  return heaviest;
}
