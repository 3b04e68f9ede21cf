import { findFunctions } from '#core/analyze/function-ref.ts';
import type { FunctionRef, NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FoundPlace } from './answer.ts';
import type { FoundPlaces, PickedPlace, Places } from './methods.ts';

/** Places of another tree, found again by what their functions are called. */

export interface FoundPath {
  /** The place, or the deepest of its callers that this tree has. */
  readonly node: CallNodeIndex;
  readonly exact: boolean;
}

/** A tree, its functions, and how transforms made these. */
export interface PlacesOf {
  readonly table: NamedFunctions;
  readonly tree: CallTree;
  readonly steps: ResolvedTransforms['steps'];
}

/**
 * `path`: functions from the tree's root, which is not among them, down to the place; under names of before these transforms, too. Of
 * several nodes that a function means, the one that `weigh` gives most; null: it is not meant.
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
    // Frames that became one.
    else if (!joinsFrames || !functions.has(tree.func[node]!)) return { node: node as CallNodeIndex, exact: false };
  }
  return { node: node as CallNodeIndex, exact: true };
}

/** What a function is by the end of the transforms: another one where it was renamed or collapsed. */
function shownAs(func: number, steps: PlacesOf['steps']): number {
  let at = func;
  for (const step of steps) {
    const becomes = step !== null && 'to' in step ? (step.to[at] ?? -1) : -1;
    if (becomes >= 0) at = becomes;
  }
  return at;
}

/** A function, and where it was picked in a tree that place, if this tree has it. Null: no function is called so any more. */
export function findPicked(places: PlacesOf, { func, path }: PickedPlace): FoundPlace | null {
  const { table, tree, steps } = places;
  if (path !== null) {
    const { node, exact } = findPath(places, path);
    if (exact && node !== 0) return { func: tree.func[node]! as FunctionIndex, node };
  }
  const known = findFunctions(table, everyFunction(table), [func])[0]![0];
  return known === undefined ? null : { func: shownAs(known, steps) as FunctionIndex, node: null };
}

/** Zoomed and picked places of another analysis, in this one. */
export function findPlaces(places: PlacesOf, { zoom, picked }: Places): FoundPlaces {
  return { zoomNode: findPath(places, zoom).node, picked: picked === null ? null : findPicked(places, picked) };
}

/** The node that functions lead to from the root; null: none. */
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

/** The leaf of a stack, which is written leaf first: where the stack ends, or in a bottom-up tree begins. Null: the stack is empty. */
export function placeOfLeaf(tree: CallTree, stack: Int32Array): FoundPlace | null {
  const func = stack[0];
  if (func === undefined) return null;
  const path = tree.direction === 'top-down' ? stack.slice().reverse() : stack.subarray(0, 1);
  return { func: func as FunctionIndex, node: nodeAt(tree, path) };
}

/** Null where no row is of the function. */
export function heaviestRow(tree: CallTree, func: number): CallNodeIndex | null {
  let heaviest = -1;
  for (let row = 1; row < tree.length; row++) {
    if (tree.func[row] === func && (heaviest < 0 || tree.total[row]! > tree.total[heaviest]!)) heaviest = row;
  }
  return heaviest < 0 ? null : (heaviest as CallNodeIndex);
}

const everyFunction = ({ functions }: NamedFunctions): Uint8Array => new Uint8Array(functions.length).fill(1);

/** −1: none of the node's children is one of these functions. */
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
