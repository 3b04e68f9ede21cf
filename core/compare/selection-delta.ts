import type { DeltaTree } from './delta-tree.ts';

/** Combined weight of several functions on each side, normalised. */
export interface SelectionDelta {
  readonly self: { readonly before: number; readonly after: number };
  /** A stack that contains several of them counts once. */
  readonly total: { readonly before: number; readonly after: number };
}

/**
 * Returns the combined weight of `functions`, which are indices of the comparison's functions. Takes one pass over the
 * union tree.
 */
export function selectionDelta(tree: DeltaTree, functions: Int32Array, functionCount: number): SelectionDelta {
  const isChosen = new Uint8Array(functionCount);
  for (const func of functions) isChosen[func] = 1;
  const self = { before: 0, after: 0 };
  const total = { before: 0, after: 0 };
  /** Rows before this one are below a chosen row. */
  let coveredUntil = 0;
  for (let row = 1; row < tree.length; row++) {
    if (isChosen[tree.func[row]!] !== 1) continue;
    self.before += tree.before.self[row]!;
    self.after += tree.after.self[row]!;
    if (row < coveredUntil) continue;
    coveredUntil = tree.end[row]!;
    total.before += tree.before.total[row]!;
    total.after += tree.after.total[row]!;
  }
  return { self, total };
}
