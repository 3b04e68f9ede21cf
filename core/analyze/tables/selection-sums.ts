import { rowsWithin } from '../view/row-walk.ts';
import { flags } from '../view/selected-weights.ts';
import type { CallTree, StackView } from '../view/stack-view.ts';

/** Combined weight of several rows, in the value type's unit; each stack counts once. */
export interface SelectionSums {
  /** Weight of the stacks that end in one of the rows. */
  readonly self: number;
  /** Weight of the stacks that contain any of the rows. */
  readonly total: number;
}

/** Returns the combined weight of a set of functions in a view. */
export function sumOfFunctions(view: StackView, functions: Iterable<number>): SelectionSums {
  const chosen = flags(view.profile.functions.length, functions);
  const holds = rowsWithin(view, (row) => chosen[view.func[row]!] === 1);
  let self = 0;
  let total = 0;
  for (let row = 0; row < view.length; row++) {
    if (chosen[view.func[row]!] === 1) self += view.self[row]!;
    if (holds[row] === 1) total += view.self[row]!;
  }
  return { self, total };
}

/**
 * Returns the combined weight of a set of call tree nodes. Nodes below another node of the set add nothing to the
 * total.
 */
export function sumOfNodes(tree: CallTree, nodes: Iterable<number>): SelectionSums {
  const inOrder = Int32Array.from(new Set(nodes)).sort();
  let self = 0;
  let total = 0;
  let end = 0;
  for (const node of inOrder) {
    self += tree.self[node]!;
    if (node < end) continue;
    total += tree.total[node]!;
    end = tree.end[node]!;
  }
  return { self, total };
}
