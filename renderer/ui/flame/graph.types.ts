import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { ScaleChoice } from '#core/units/axis-scale.ts';

/**
 * The appearance and text of a comparison's frames, instead of function colours and a single weight. Keep the object's
 * identity while it is unchanged.
 */
export interface DeltaStyle {
  /** Returns a colour as `#rrggbb`. */
  readonly colour: (delta: FrameDelta) => string;
  /** Returns whether the label uses the text colour of grey frames. */
  readonly isGrey: (delta: FrameDelta) => boolean;
  /** Returns whether the frame keeps its colour; others are dimmed. */
  readonly isLit: (delta: FrameDelta) => boolean;
  /** Returns the sign before the name, with its space; may be empty. */
  readonly sign: (delta: FrameDelta) => string;
  /** Returns texts that may follow the name, with their space; the first one that fits is used. */
  readonly tails: (delta: FrameDelta) => readonly string[];
  readonly lines: (delta: FrameDelta) => readonly DetailLine[];
}

/** How weights are written: `formatValue` and `formatShare` of core/units, bound to a unit and a locale. */
export interface WeightFormat {
  readonly value: (weight: number) => string;
  readonly share: (part: number, whole: number) => string;
  /** Returns ` ± 1.3 pp`, the sampling error of a weight's share of `whole`, by default the view; empty if unknown. */
  readonly error?: (part: number, whole?: number) => string;
}

/** The axis above a graph. Keep the object's identity while it is unchanged. */
export interface AxisLook {
  readonly scale: ScaleChoice;
  /** Where the axis has its zero: at the left edge of the zoomed frame, or of the whole tree. */
  readonly from: 'root' | 'tree';
  /** If given, labels also say their share of the zoomed frame. */
  readonly share?: WeightFormat['share'];
}

export interface FrameRef {
  readonly node: CallNodeIndex;
  /** Null for the tree's root. */
  readonly func: FunctionIndex | null;
}

export interface DetailLine {
  readonly label: string;
  readonly text: string;
}

/** A point in the window in CSS pixels (`clientX`, `clientY`). */
export interface ViewPoint {
  readonly x: number;
  readonly y: number;
}

/** A flame graph has its root at the bottom, an icicle at the top. */
export type Orientation = 'flame' | 'icicle';

export type { Theme } from '#core/colour/theme.ts';
