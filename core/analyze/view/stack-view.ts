import type { ThreadIndex, ValueTypeIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';

/** Which samples count, and by what. */
export interface Selection {
  readonly valueType: ValueTypeIndex;
  /** null: all. */
  readonly threads: readonly ThreadIndex[] | null;
  /** Nanoseconds after the profile's `timeOrigin`, half-open; null: all. Samples without a time are left out by a range, and counted. */
  readonly timeRange: { readonly start: number; readonly end: number } | null;
}

/**
 * What every analysis reads: a stack table by function (not by frame) and the self weight of each row. Made from a profile, a
 * selection and transforms by `buildStackView()`.
 */
export interface StackView {
  /** Where transforms made functions (a renamed one, a collapsed module), the profile with these at the end of its function table. */
  readonly profile: Profile;
  readonly selection: Selection;
  readonly length: number;
  /** → rows of this view, smaller than the row's own index; −1 at the root. */
  readonly parent: Int32Array;
  /** → profile.functions */
  readonly func: Int32Array;
  /** Self weight per row, in the value type's unit. */
  readonly self: Float64Array;
  /** Samples that end in the row, of a weight other than 0. */
  readonly count: Int32Array;
  /** Weight of samples without any stack: part of the total, shown as `(no stack)`. */
  readonly withoutStack: number;
  /** Sum of `self` plus `withoutStack`. */
  readonly total: number;
  /** Left out by transforms, in the value type's unit; `total + hidden` is the selection's whole weight. */
  readonly hidden: number;
  /** By transform: what it left out of `hidden`, 0 where it is switched off. */
  readonly hiddenBy: readonly number[];
  /** Samples that make up `total`: selected, not hidden, of a weight other than 0. */
  readonly sampleCount: number;
  /** Samples of the selection's threads and value type that a time range left out because they have no time. */
  readonly withoutTime: number;
}

/**
 * A call tree in pre-order. Row 0 is the root (`func` −1), whose total is the view's total. Siblings are ordered by function name,
 * then module, or the heaviest first where that is asked for. The subtree of row i is rows i … end[i] − 1; its first child, if any, is row i + 1, the next sibling of a row is row end[i].
 */
export interface CallTree {
  readonly length: number;
  readonly direction: 'top-down' | 'bottom-up';
  readonly func: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly end: Int32Array;
  /** Top-down: weight of stacks that end here. Bottom-up: of stacks whose callers end here. The root's: of samples without a stack. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /**
   * Weight left of each row within the root, where rows lie apart: in a time-ordered tree, whose siblings are in the order of time. Absent
   * where siblings lie side by side from their parent's left edge.
   */
  readonly start?: Float64Array;
  /** Rows deeper than this below the root are left out (their weight is self of the deepest row); null: all are here. Not for plain top-down trees. */
  readonly cutDepth: number | null;
}

/** One row per function that occurs in the view. `total` counts a stack once, however often the function recurs in it. */
export interface FunctionStats {
  readonly length: number;
  readonly func: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/**
 * The visible part of a call tree: what a flame graph of a given width can show. Rows in pre-order. A filler (`node` −1) stands for
 * consecutive siblings too narrow to draw: `fillerNodes` says how many tree rows it hides (with their subtrees), `total` their weight.
 */
export interface VisibleSlice {
  readonly length: number;
  /** → call tree rows; −1: filler. */
  readonly node: Int32Array;
  /** → rows of this slice; −1 at the first depth: one row where that is the slice's root, any number below it. */
  readonly parent: Int32Array;
  /** Below the slice's root, which is at 0. */
  readonly depth: Int32Array;
  readonly total: Float64Array;
  readonly fillerNodes: Int32Array;
  /** The first call tree row that a filler stands for, with those that follow it under one caller; −1 for frames. */
  readonly fillerFirst: Int32Array;
  /** Weight left of the row within the slice's root, same unit as `total`. */
  readonly start: Float64Array;
  /** Deepest depth below the slice's root in the whole tree, not just in the slice. */
  readonly maxDepth: number;
}
