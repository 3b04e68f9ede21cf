import type { ThreadIndex, ValueTypeIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';

/** Selects the samples and the value type to analyse. */
export interface Selection {
  readonly valueType: ValueTypeIndex;
  /** null: all. */
  readonly threads: readonly ThreadIndex[] | null;
  /**
   * Nanoseconds after the profile's `timeOrigin`, half-open; null: all. A range excludes samples without a time and
   * counts them.
   */
  readonly timeRange: { readonly start: number; readonly end: number } | null;
}

/**
 * The input of every analysis: a stack table by function (not by frame) with the self weight of each row.
 * `buildStackView()` makes it from a profile, a selection and transforms.
 */
export interface StackView {
  /**
   * If transforms made functions (a renamed one, a collapsed module), the profile with these at the end of its function
   * table.
   */
  readonly profile: Profile;
  readonly selection: Selection;
  readonly length: number;
  /** → rows of this view, smaller than the row's own index; −1 at the root. */
  readonly parent: Int32Array;
  /** → profile.functions */
  readonly func: Int32Array;
  /** Self weight per row, in the value type's unit. */
  readonly self: Float64Array;
  /** Number of samples with a weight other than 0 that end in the row. */
  readonly count: Float64Array;
  /** Weight of samples without a stack: part of the total, shown as `(no stack)`. */
  readonly withoutStack: number;
  /** Sum of `self` plus `withoutStack`. */
  readonly total: number;
  /** Weight that transforms excluded, in the value type's unit; `total + hidden` is the selection's whole weight. */
  readonly hidden: number;
  /** The part of `hidden` that each transform excluded; 0 if it is disabled. */
  readonly hiddenBy: readonly number[];
  /** Number of samples that make up `total`: selected, not hidden, with a weight other than 0. */
  readonly sampleCount: number;
  /**
   * Number of samples of the selection's threads and value type that a time range excluded because they have no time.
   */
  readonly withoutTime: number;
  /**
   * How unequally the selection's samples weigh, before transforms that move them: samples × Σ weight² ÷ (Σ weight)², 1
   * if all weigh the same. `sampleCount` divided by it is Kish's effective number of samples. Null if weights are
   * negative, and without weight.
   */
  readonly weightSpread: number | null;
}

/**
 * A call tree in pre-order. Row 0 is the root (`func` −1), whose total is the view's total. Siblings are ordered by
 * function name, then module, or heaviest first if requested. The subtree of row i is rows i … end[i] − 1; its first
 * child, if any, is row i + 1; the next sibling of a row is row end[i].
 */
export interface CallTree {
  readonly length: number;
  readonly direction: 'top-down' | 'bottom-up';
  readonly func: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly end: Int32Array;
  /**
   * Top-down: weight of the stacks that end here. Bottom-up: weight of the stacks whose callers end here. Root: weight
   * of samples without a stack.
   */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /**
   * Weight to the left of each row within the root, for trees with gaps between rows: time-ordered trees, whose
   * siblings are in the order of time. Absent if siblings are adjacent, starting at their parent's left edge.
   */
  readonly start?: Float64Array;
  /**
   * Rows deeper than this below the root are left out; their weight counts as self of the deepest row. null: the tree
   * is complete, as plain top-down trees always are.
   */
  readonly cutDepth: number | null;
}

/** One row per function in the view. `total` counts a stack once, even if the function recurs in it. */
export interface FunctionStats {
  readonly length: number;
  readonly func: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/**
 * The visible part of a call tree: what a flame graph of a given width can show. Rows in pre-order. A filler (`node`
 * −1) represents consecutive siblings too narrow to draw: `fillerNodes` is the number of tree rows that it hides
 * (including their subtrees), `total` their weight.
 */
export interface VisibleSlice {
  readonly length: number;
  /** → call tree rows; −1: filler. */
  readonly node: Int32Array;
  /**
   * → rows of this slice; −1 at the first depth, which has one row if it is the slice's root, otherwise any number of
   * rows.
   */
  readonly parent: Int32Array;
  /** Depth below the slice's root, which has depth 0. */
  readonly depth: Int32Array;
  readonly total: Float64Array;
  readonly fillerNodes: Int32Array;
  /** The first call tree row that a filler represents; its other rows follow under the same caller. −1 for frames. */
  readonly fillerFirst: Int32Array;
  /** Weight to the left of the row within the slice's root, in the unit of `total`. */
  readonly start: Float64Array;
  /** Greatest depth below the slice's root in the whole tree, not only in the slice. */
  readonly maxDepth: number;
}
