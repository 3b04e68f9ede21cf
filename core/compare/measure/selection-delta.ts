import type { DeltaTree } from '../delta-tree.ts';

/** What several functions weigh together on either side, normalised. */
export interface SelectionDelta {
  readonly self: { readonly before: number; readonly after: number };
  /** A stack that holds several of them counts once. */
  readonly total: { readonly before: number; readonly after: number };
}

/** `functions`: → those of the comparison. One pass over the union tree. */
export function selectionDelta(tree: DeltaTree, functions: Int32Array, functionCount: number): SelectionDelta {
  const isChosen = new Uint8Array(functionCount);
  for (const func of functions) isChosen[func] = 1;
  const self = { before: 0, after: 0 };
  const total = { before: 0, after: 0 };
  /** Rows before it lie below a chosen one. */
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
