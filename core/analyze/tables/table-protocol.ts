import type { NodePaths } from '#core/analyze/tree/open-paths.ts';
import type { Neighbours } from '#core/analyze/tree/neighbours.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { TreeRowWindow } from '#core/analyze/tree/tree-rows.ts';
import type { FunctionIndex } from '#core/model/brand.ts';

/** Requests that tables send to the profile's worker. */

/**
 * A step in a tree table. `*-below` acts on the node and its whole subtree, `hot-path` opens the heaviest child at
 * every level, `reveal` opens the node's ancestors, `parent` returns the parent and changes nothing.
 */
export interface TreeStep {
  readonly kind: 'open' | 'close' | 'open-below' | 'close-below' | 'hot-path' | 'reveal' | 'parent';
  readonly node: number;
}

/** Result of a step or a search. */
export interface TreeSpot {
  /** −1 if nothing was found; `node` and `func` are then −1, too. */
  readonly row: number;
  readonly node: number;
  /** Also −1 for the tree's root. */
  readonly func: number;
  /** Number of visible rows. */
  readonly rowCount: number;
}

/**
 * `name` searches the visible rows from `from` on, ignoring case. `match` also searches closed subtrees, starting after
 * or before row `from`.
 */
export type TreeFind =
  | { readonly kind: 'name'; readonly prefix: string; readonly from: number }
  /** `matches`: 1 for each matched function. */
  | { readonly kind: 'match'; readonly matches: Uint8Array; readonly from: number; readonly step: 1 | -1 };

export interface TreeTableRows extends TreeRowWindow {
  /** Number of visible rows. */
  readonly rowCount: number;
  /** → the view's functions; −1 for the root. */
  readonly func: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Total of the row's parent; the root's own total for the root. */
  readonly parentTotal: Float64Array;
  /** 1 if the row is on the path from the root to the heaviest child at every level. */
  readonly hot: Uint8Array;
}

export type FunctionText = 'name' | 'module' | 'source';

type At<T> = T & { readonly revision: number };

export interface TableMethods {
  'tree-step': { params: At<{ step: TreeStep; order: RowOrder }>; result: TreeSpot };
  'tree-rows': { params: At<{ first: number; count: number; order: RowOrder }>; result: TreeTableRows };
  /** Also opens the ancestors of the row found. */
  'tree-find': { params: At<{ find: TreeFind; order: RowOrder }>; result: TreeSpot };
  'tree-paths': { params: At<{ nodes: Int32Array }>; result: NodePaths };
  /** Finds nodes of an earlier snapshot of a live profile again; see `nodesOfPaths`. */
  'tree-nodes': { params: At<{ paths: NodePaths }>; result: Int32Array };
  /** Self and total in samples, row by row as in the analysis' `rows`. */
  'sample-counts': { params: At<object>; result: { readonly self: Float64Array; readonly total: Float64Array } };
  /** Describes the view in lines of text: capture, selection, transforms and the weight that they hid. */
  'describe-view': { params: At<{ captureName: string }>; result: readonly string[] };
  /** All callers and callees, as columns. */
  'call-edges': { params: At<{ func: FunctionIndex }>; result: Neighbours };
}
