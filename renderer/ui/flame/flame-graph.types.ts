import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { ScaleChoice } from '#core/units/axis-scale.ts';

/** How frames of a comparison are drawn and told, in place of their function's colour and of one weight. Keep its identity while it stays. */
export interface DeltaLook {
  /** A `#rrggbb`. */
  readonly colour: (delta: FrameDelta) => string;
  /** Its label is in the text of grey frames. */
  readonly isGrey: (delta: FrameDelta) => boolean;
  /** Stays in its colour; all else is dimmed. */
  readonly isLit: (delta: FrameDelta) => boolean;
  /** Stands before the name, with its blank; may be empty. */
  readonly sign: (delta: FrameDelta) => string;
  /** The first that there is room for follows the name, with its blank. */
  readonly tails: (delta: FrameDelta) => readonly string[];
  readonly lines: (delta: FrameDelta) => readonly DetailLine[];
}

/** How weights read: `formatValue`/`formatShare` of core/units, bound to a unit and locale. */
export interface WeightFormat {
  readonly value: (weight: number) => string;
  readonly share: (part: number, whole: number) => string;
}

/** The ticks above a graph. Keep its identity while it stays. */
export interface AxisLook {
  readonly scale: ScaleChoice;
  /** What its zero is: the left edge of what is zoomed into, or of the whole tree. */
  readonly from: 'root' | 'tree';
}

export interface FrameRef {
  readonly node: CallNodeIndex;
  /** Null at the tree's root. */
  readonly func: FunctionIndex | null;
}

export interface DetailLine {
  readonly label: string;
  readonly text: string;
}

/** CSS pixels in the window (`clientX`, `clientY`). */
export interface ViewPoint {
  readonly x: number;
  readonly y: number;
}

/** flame: root at the bottom. icicle: root at the top. */
export type Orientation = 'flame' | 'icicle';

export type Theme = 'dark' | 'light';
