import type { ReactNode } from 'react';
import type { Keymap } from '../keys/keymap.ts';
import type { MissingFrame } from './flame-view.types.ts';
import type { ColourMode, ColourScheme } from './frame-colour.ts';
import type { FrameDetail } from './frame-detail.ts';
import type { GraphLink } from './graph-link.ts';
import type { Zoom } from './use-zoom.ts';
import type { PixelNodes } from '#core/analyze/pixel-nodes.ts';
import type { VisibleSlice } from '#core/analyze/stack-view.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FunctionKind } from '#core/model/profile.ts';
import type { ScaleChoice } from '#core/units/axis-scale.ts';

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

export interface FlameGraphProps {
  /** Default: the keys as they are without settings. */
  readonly keymap?: Keymap;
  readonly source: FlameSource;
  readonly orientation: Orientation;
  /** The zoomed node; 0 for the whole tree. */
  readonly rootNode: CallNodeIndex;
  /** Where Home leads; default: the tree's root. */
  readonly homeNode?: CallNodeIndex;
  readonly selectedNode: CallNodeIndex | null;
  /** Outlines every visible frame of this function: the table's selection. */
  readonly selectedFunction: FunctionIndex | null;
  /** One byte per function, 1 where the search matches; null: no search. What does not match is dimmed. */
  readonly matches: Uint8Array | null;
  /** By what frames are coloured; default: package. */
  readonly colourMode?: ColourMode;
  /** Of the groups that weigh most, so that they differ; keep its identity while they stay. */
  readonly colourSlots?: ColourScheme['slots'];
  /** Of a comparison, in place of function colours. */
  readonly deltaLook?: DeltaLook;
  readonly format: WeightFormat;
  readonly axis: AxisLook;
  readonly theme: Theme;
  /** What the graph shows, for screen readers: `cpu-clock, all threads`. */
  readonly label: string;
  /** Stands before the crumbs: which of several graphs this is. */
  readonly title?: ReactNode;
  /** At the end of the head: how this graph is drawn. */
  readonly headEnd?: ReactNode;
  /** Below the map. */
  readonly children?: ReactNode;
  /** What is known of a frame beyond the drawing, for its tooltip. */
  readonly describe?: (node: CallNodeIndex) => Promise<readonly DetailLine[]>;
  /** With each frame of a gesture and after each drawing: what is in view, as weights of the whole tree. */
  readonly onViewport?: (first: number, last: number) => void;
  readonly onZoom: (node: CallNodeIndex) => void;
  readonly onSelect: (frame: FrameRef | null) => void;
  /** Null when the pointer leaves. */
  readonly onHover?: (frame: FrameRef | null, point: ViewPoint) => void;
  /** What the tooltip says below the name, in place of weights and `describe`. */
  readonly tooltip?: (detail: FrameDetail) => ReactNode;
  /** Other graphs of the same nodes, which zoom, scroll and point with this one. */
  readonly link?: GraphLink;
  /** The way in and back, where it is not the graph's own. */
  readonly zoom?: Zoom;
  /** A frame that this graph's side lacks, of those that another shows. */
  readonly missing?: MissingFrame | null;
  /** Of a comparison: which side this is, to say what is not in it. */
  readonly side?: 'before' | 'after';
  readonly onContextMenu?: (frame: FrameRef, point: ViewPoint) => void;
  /** `i`. */
  readonly onOrientationChange?: (orientation: Orientation) => void;
  /** `/`. */
  readonly onSearch?: () => void;
  /** The selected stack in the graph's order, one frame per line; its name alone; or the stack as one folded line. */
  readonly onCopy?: (text: string) => void;
}
