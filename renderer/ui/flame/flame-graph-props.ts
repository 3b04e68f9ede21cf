import type {
  DeltaLook,
  WeightFormat,
  AxisLook,
  FrameRef,
  DetailLine,
  ViewPoint,
  Orientation,
  Theme,
} from './flame-graph.types.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { ReactNode } from 'react';
import type { Keymap } from '../keys/keymap.ts';
import type { MissingFrame } from './flame-view.types.ts';
import type { ColourMode, ColourScheme } from './frame-colour.ts';
import type { FrameDetail } from './frame-detail.ts';
import type { GraphLink } from './graph-link.ts';
import type { Zoom } from './use-zoom.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';

export interface FlameGraphProps {
  /** Default: the keys as they are without settings. */
  readonly keymap?: Keymap;
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly zoom: Zoom;
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
  readonly onSelect: (frame: FrameRef | null) => void;
  /** Null when the pointer leaves. */
  readonly onHover?: (frame: FrameRef | null, point: ViewPoint) => void;
  /** What the tooltip says below the name, in place of weights and `describe`. */
  readonly tooltip?: (detail: FrameDetail) => ReactNode;
  /** Other graphs of the same nodes, which zoom, scroll and point with this one. */
  readonly link?: GraphLink;
  /** A frame that this graph's side lacks, of those that another shows. */
  readonly missing?: MissingFrame | null;
  /** Of a comparison: which side this is, to say what is not in it. */
  readonly side?: 'before' | 'after';
  readonly onContextMenu?: (frame: FrameRef, point: ViewPoint) => void;
  /** `i`. */
  readonly onOrientationChange?: (orientation: Orientation) => void;
  /** The selected stack in the graph's order, one frame per line; its name alone; or the stack as one folded line. */
  readonly onCopy?: (text: string) => void;
}
