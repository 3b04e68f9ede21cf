import type { Neighbours } from '#core/analyze/tree/neighbours.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { TreeRowWindow } from '#core/analyze/tree/tree-rows.ts';
import type { FunctionIndex } from '#core/model/brand.ts';

/** What tables ask of a profile's worker. */

/**
 * `*-below`: the node with everything under it. `hot-path`: down from the node, always to the heaviest child. `reveal`: what is above it.
 * `parent`: leads there and changes nothing.
 */
export interface TreeStep {
  readonly kind: 'open' | 'close' | 'open-below' | 'close-below' | 'hot-path' | 'reveal' | 'parent';
  readonly node: number;
}

/** Where a step or a search leads to. */
export interface TreeSpot {
  /** −1: nowhere; so are the others then. */
  readonly row: number;
  readonly node: number;
  /** −1 too: the tree's root. */
  readonly func: number;
  /** All rows that show now. */
  readonly rowCount: number;
}

/** `name`: among rows that show, from `from` on, whatever the case. `match`: also in what is closed, from the row after or before `from`. */
export type TreeFind =
  | { readonly kind: 'name'; readonly prefix: string; readonly from: number }
  /** `matches`: 1 per function. */
  | { readonly kind: 'match'; readonly matches: Uint8Array; readonly from: number; readonly step: 1 | -1 };

export interface TreeTableRows extends TreeRowWindow {
  /** All rows that show. */
  readonly rowCount: number;
  /** → the view's functions; −1: the root. */
  readonly func: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Of the row's parent; the root's own at the root. */
  readonly parentTotal: Float64Array;
  /** 1: on the way from the root always to the heaviest child. */
  readonly hot: Uint8Array;
}

export type FunctionText = 'name' | 'module' | 'source';

type At<T> = T & { readonly revision: number };

export interface TableMethods {
  'tree-step': { params: At<{ step: TreeStep; order: RowOrder }>; result: TreeSpot };
  'tree-rows': { params: At<{ first: number; count: number; order: RowOrder }>; result: TreeTableRows };
  /** Opens what the row lies in. */
  'tree-find': { params: At<{ find: TreeFind; order: RowOrder }>; result: TreeSpot };
  /** Self and total in samples, row by row as the analysis' `rows`. */
  'sample-counts': { params: At<object>; result: { readonly self: Float64Array; readonly total: Float64Array } };
  /** The view in lines: file, selection, transforms and what they hid. */
  'describe-view': { params: At<object>; result: readonly string[] };
  /** All callers and callees, in columns. */
  'call-edges': { params: At<{ func: FunctionIndex }>; result: Neighbours };
}
