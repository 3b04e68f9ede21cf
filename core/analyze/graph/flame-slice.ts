import type { CallNodeIndex, FunctionIndex } from '../../model/brand.ts';
import type { FunctionKind } from '../../model/profile.ts';
import type { PixelNodes } from '../tree/pixel-nodes.ts';
import type { VisibleSlice } from '../view/stack-view.ts';

/** A function's row as text, for labels and tooltips. Untrusted: only ever shown as text. */
export interface FunctionFacts {
  readonly name: string;
  /** Empty where unknown; so is `file`. */
  readonly module: string;
  readonly file: string;
  /** 1-based; 0 where unknown. */
  readonly line: number;
  readonly kind: FunctionKind;
  /** True where every frame of it was inlined into its caller. */
  readonly inlined?: boolean;
}

/** What part of the tree to draw. Depths count from `root`, which is depth 0. */
export interface SliceRequest {
  readonly root: CallNodeIndex;
  readonly widthPx: number;
  readonly minWidthPx: number;
  readonly firstDepth: number;
  readonly depthCount: number;
  /** Weights within `root`, from its left edge, that fill the width: half-open. Left out: all of it. */
  readonly firstWeight?: number;
  readonly lastWeight?: number;
  /**
   * Bound on what is drawn, frames and fillers (those too narrow to be drawn count a part): where there are more, a greater least width
   * is taken.
   */
  readonly maxFrames: number;
  /** What fillers hold is asked for, too, in so many columns for a pixel. */
  readonly columnsPerPx?: number;
}

/** What fillers hold, pixel by pixel: the function at the middle of each column, in their rows and in those that follow them. */
export interface SliceTexture extends Omit<PixelNodes, 'node'> {
  /** → profile.functions, by depth and column as in `PixelNodes`; −1: nothing. */
  readonly func: Int32Array;
}

/** What both sides of a comparison have of a frame, or of the frames that a filler stands for. Normalised weights. */
export interface FrameDelta {
  /** Total. */
  readonly before: number;
  readonly after: number;
  /** 0 for fillers. */
  readonly selfBefore: number;
  readonly selfAfter: number;
  /** Of the total, → `VERDICTS` of the compare worker. */
  readonly verdict: number;
}

/** {@link FrameDelta} by row of a slice. */
export interface DeltaColumns {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly selfBefore: Float64Array;
  readonly selfAfter: Float64Array;
  readonly verdict: Uint8Array;
}

/** A slice with what its rows are called. Crosses from the worker by structured clone. */
export interface FlameSlice {
  readonly slice: VisibleSlice;
  /** Of the slice's root, in the value type's unit, also where the root's own row is outside the slice. */
  readonly rootTotal: number;
  /** What fills the width where all of the root is in view: its total, or more where graphs share a scale. */
  readonly rootScale: number;
  /** Weight left of the slice's root within the whole tree, same unit. */
  readonly rootStart: number;
  /** Of the slice's root, below the whole tree's. */
  readonly rootDepth: number;
  /** What is narrower is in fillers: the request's, or the wider one that its bound led to. */
  readonly minWidthPx: number;
  /** → profile.functions, per slice row; −1 for fillers and for the tree's root. */
  readonly func: Int32Array;
  /** Self weight per slice row; 0 for fillers. */
  readonly self: Float64Array;
  /** Every function that occurs in `func` and in the texture. */
  readonly functions: ReadonlyMap<number, FunctionFacts>;
  /** Null: fillers hold too little to be seen. Left out: it was not asked for. */
  readonly texture?: SliceTexture | null;
  /** Of a comparison. */
  readonly deltas?: DeltaColumns;
}

/** One frame of a path. */
export interface PathEntry {
  readonly node: CallNodeIndex;
  /** Null at the tree's root. */
  readonly func: FunctionIndex | null;
  readonly facts: FunctionFacts | null;
  readonly self: number;
  readonly total: number;
  /** Of a comparison. */
  readonly delta?: FrameDelta;
}

export interface MatchRequest {
  /** One byte per function: 1 where it matches. */
  readonly matches: Uint8Array;
  /** Search stays inside this subtree and wraps around in it. */
  readonly root: CallNodeIndex;
  /** Where to go on from; null: the first (step 1) or last (step −1) match. */
  readonly from: CallNodeIndex | null;
  readonly step: 1 | -1;
  /** Prefer nodes of at least this total weight; smaller ones count only where no larger one matches. */
  readonly minTotal: number;
}

/**
 * One call tree, wherever it lives (`treeSource()` makes one from a tree at hand; the shell forwards the calls to the worker). A new
 * object means a new tree: node indices of the old one no longer hold.
 */
export interface FlameSource {
  readonly direction: 'top-down' | 'bottom-up';
  /** The tree root's total, in the value type's unit. */
  readonly totalWeight: number;
  /** What fills the width where the whole tree is in view: its total, or more where graphs share a scale. */
  readonly scale: number;
  readonly maxDepth: number;
  requestSlice(request: SliceRequest): Promise<FlameSlice>;
  /** From the tree's root to the node itself, both included. */
  requestPath(node: CallNodeIndex): Promise<readonly PathEntry[]>;
  requestMatch(request: MatchRequest): Promise<CallNodeIndex | null>;
}

/** Fillers narrower than this have no room for hatching: they are plain bars, all of them one element. */
export const HATCH_MIN_PX = 6;
