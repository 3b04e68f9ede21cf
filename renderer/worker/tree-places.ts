import { findFunctions } from '#core/analyze/function-ref.ts';
import type { FunctionRef, NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/stack-view.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FoundPlace, PickedPlace } from './protocol.ts';

/** Places of another tree, found again by what their functions are called. */

export interface FoundPath {
  /** The place, or the deepest of its callers that this tree has. */
  readonly node: CallNodeIndex;
  readonly exact: boolean;
}

/** `path`: functions from the tree's root, which is not among them, down to the place. */
export function findPath(table: NamedFunctions, tree: CallTree, path: readonly FunctionRef[]): FoundPath {
  const wanted = path.length === 0 ? [] : findFunctions(table, everyFunction(table), path);
  let node = 0;
  for (const functions of wanted) {
    const child = heaviestChild(tree, node, new Set(functions));
    if (child < 0) return { node: node as CallNodeIndex, exact: false };
    node = child;
  }
  return { node: node as CallNodeIndex, exact: true };
}

/** A function, and where it was picked in a tree that place, if this tree has it. Null: no function is called so any more. */
export function findPicked(table: NamedFunctions, tree: CallTree, { func, path }: PickedPlace): FoundPlace | null {
  if (path !== null) {
    const { node, exact } = findPath(table, tree, path);
    if (exact && node !== 0) return { func: tree.func[node]! as FunctionIndex, node };
  }
  const known = findFunctions(table, everyFunction(table), [func])[0]![0];
  return known === undefined ? null : { func: known as FunctionIndex, node: null };
}

const everyFunction = ({ functions }: NamedFunctions): Uint8Array => new Uint8Array(functions.length).fill(1);

/** −1: none of the node's children is one of these functions. */
function heaviestChild(tree: CallTree, node: number, functions: ReadonlySet<number>): number {
  let heaviest = -1;
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    if (!functions.has(tree.func[child]!)) continue;
    if (heaviest < 0 || tree.total[child]! > tree.total[heaviest]!) heaviest = child;
  }
  return heaviest;
}
