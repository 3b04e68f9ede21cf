import type { CallNodeIndex, FunctionIndex } from '../../model/brand.ts';
import type { FunctionFacts } from '../../model/function-facts.ts';
import type { ColourGroup, ColourScheme } from '../../colour/frame-colour.ts';
import type { PixelNodes } from '../tree/pixel-nodes.ts';
import type { VisibleSlice } from '../view/stack-view.ts';

/** Selects the part of the tree to draw. Depths count from `root`, which has depth 0. */
export interface SliceRequest {
  readonly root: CallNodeIndex;
  readonly widthPx: number;
  readonly minWidthPx: number;
  readonly firstDepth: number;
  readonly depthCount: number;
  /** Range of weights within `root`, from its left edge, that fills the width: half-open. Omitted: the whole root. */
  readonly firstWeight?: number;
  readonly lastWeight?: number;
  /**
   * Bounds the cost of drawing: frames and fillers count 1, fillers too narrow for hatching count less. If the slice
   * exceeds it, `minWidthPx` is increased until the slice fits.
   */
  readonly maxFrames: number;
  /** If given, the reply includes the contents of fillers with this number of columns per pixel. */
  readonly columnsPerPx?: number;
}

/**
 * Contents of fillers by pixel: the function at the middle of each column, in the fillers' rows and in the rows below
 * them.
 */
export interface SliceTexture extends Omit<PixelNodes, 'node'> {
  /** → profile.functions, by depth and column as in `PixelNodes`; −1 if there is nothing. */
  readonly func: Int32Array;
}

/** Normalised weights of a frame, or of the frames that a filler represents, on both sides of a comparison. */
export interface FrameDelta {
  /** Total. */
  readonly before: number;
  readonly after: number;
  /** 0 for fillers. */
  readonly selfBefore: number;
  readonly selfAfter: number;
  /** Verdict on the total, → `VERDICTS` of the compare worker. */
  readonly verdict: number;
}

/** {@link FrameDelta} by slice row. */
export interface DeltaColumns {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly selfBefore: Float64Array;
  readonly selfAfter: Float64Array;
  readonly verdict: Uint8Array;
}

/** A slice with its functions' names. Sent from the worker by structured clone. */
export interface FlameSlice {
  readonly slice: VisibleSlice;
  /** Total of the slice's root, in the value type's unit, even if the root's own row is outside the slice. */
  readonly rootTotal: number;
  /** Weight that fills the width when the whole root is in view: its total, or more if graphs share a scale. */
  readonly rootScale: number;
  /** Weight to the left of the slice's root within the whole tree, same unit. */
  readonly rootStart: number;
  /** Depth of the slice's root below the tree's root. */
  readonly rootDepth: number;
  /** Narrower frames are in fillers. The request's value, or a larger one if `maxFrames` required it. */
  readonly minWidthPx: number;
  /** → profile.functions, by slice row; −1 for fillers and for the tree's root. */
  readonly func: Int32Array;
  /** Self weight by slice row; 0 for fillers. */
  readonly self: Float64Array;
  /** Every function that occurs in `func` and in the texture. */
  readonly functions: ReadonlyMap<number, FunctionFacts>;
  /** Null if fillers are too narrow to show contents; absent if not requested. */
  readonly texture?: SliceTexture | null;
  /** Only for comparisons. */
  readonly deltas?: DeltaColumns;
  /** Has too few frames: it is drawn while the whole slice is requested. */
  readonly isFirstPart?: boolean;
}

/** One frame of a path. */
export interface PathEntry {
  readonly node: CallNodeIndex;
  /** Null for the tree's root. */
  readonly func: FunctionIndex | null;
  readonly facts: FunctionFacts | null;
  readonly self: number;
  readonly total: number;
  /** Only for comparisons. */
  readonly delta?: FrameDelta;
}

export interface MatchRequest {
  /** One byte per function: 1 if it matches. */
  readonly matches: Uint8Array;
  /** The search stays inside this subtree and wraps around in it. */
  readonly root: CallNodeIndex;
  /** Node to continue from; null for the first (step 1) or last (step −1) match. */
  readonly from: CallNodeIndex | null;
  readonly step: 1 | -1;
  /** Nodes with at least this total weight are preferred; smaller ones match only if no larger one does. */
  readonly minTotal: number;
}

/** What the weight below a node of the tree is made of. */
export interface SelfWeights {
  /** Heaviest first; they add up to the node's total. */
  readonly groups: readonly (ColourGroup & { readonly weight: number })[];
  /**
   * The node in which the most weight ends, in comparisons the one whose self weight changed the most; null unless
   * stacks end at the tree's leaves and paths are merged.
   */
  readonly hottest: CallNodeIndex | null;
}

export interface SelfRequest {
  readonly root: CallNodeIndex;
  readonly scheme: ColourScheme;
}

/**
 * Access to one call tree, wherever it lives: `treeSource()` wraps a tree in memory, the shell forwards the calls to
 * the worker. A new object means a new tree, and node indices of the old one become invalid.
 */
/** How places are found again in the trees of a growing profile. */
export interface TreeLineage {
  readonly id: number;
  /** Returns the row with the path that a row has in an earlier slice; −1 if it is not drawn. */
  rowOfPath(now: SliceRows, before: SliceRows, row: number): number;
}
export type SliceRows = Pick<FlameSlice, 'slice' | 'func'>;

export interface FlameSource {
  /** The same object for the trees of a growing profile under the same choices, whose paths last. */
  readonly lineage?: TreeLineage;
  /** The same for all sources of one tree in a view or comparison. */
  readonly revision?: number;
  readonly direction: 'top-down' | 'bottom-up';
  /** The tree root's total, in the value type's unit. */
  readonly totalWeight: number;
  /** Weight that fills the width when the whole tree is in view: its total, or more if graphs share a scale. */
  readonly scale: number;
  readonly maxDepth: number;
  requestSlice(request: SliceRequest): Promise<FlameSlice>;
  /** Returns the path from the tree's root to the node, including both. */
  requestPath(node: CallNodeIndex): Promise<readonly PathEntry[]>;
  requestMatch(request: MatchRequest): Promise<CallNodeIndex | null>;
  /** Absent where frames are not coloured by function. */
  requestSelf?(request: SelfRequest): Promise<SelfWeights>;
}

/** Answers from a tree in memory. */
export type TreeSource = Required<Omit<FlameSource, 'lineage' | 'revision'>>;

/** Fillers narrower than this have no room for hatching: they are plain bars, drawn as one element. */
export const HATCH_MIN_PX = 6;
