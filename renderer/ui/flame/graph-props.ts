import type {
  DeltaStyle,
  WeightFormat,
  AxisLook,
  FrameRef,
  DetailLine,
  ViewPoint,
  Orientation,
  Theme,
} from './graph.types.ts';
import type { FlameSource, FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { ReactNode } from 'react';
import type { Keymap } from '../keys/keymap.ts';
import type { MissingFrame } from './view.types.ts';
import type { ColourMode, ColourScheme } from '#core/colour/frame-colour.ts';
import type { FrameDetail } from './tooltip/frame-detail.ts';
import type { GraphLink } from './graph-link.ts';
import type { Pin } from '../pin.ts';
import type { Zoom } from './use-zoom.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Side } from '#core/contract/side.ts';

export interface FlameGraphProps {
  /** Defaults to the keymap without settings. */
  readonly keymap?: Keymap;
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly zoom: Zoom;
  readonly selectedNode: CallNodeIndex | null;
  /** The function selected in the table; all its visible frames are outlined. */
  readonly selectedFunction: FunctionIndex | null;
  /** By function: 1 if the search matches, else 0; null without a search. Frames that do not match are dimmed. */
  readonly matches: Uint8Array | null;
  /** How frames are coloured; `package` by default. */
  readonly colourMode?: ColourMode;
  /** Distinct colours of the heaviest groups; keep the object's identity while they are unchanged. */
  readonly colourSlots?: ColourScheme['slots'];
  /** The appearance of a comparison's frames, instead of function colours. */
  readonly deltaStyle?: DeltaStyle;
  /** Describes the frame that changed the most, for the marker at the edge; without it, that is the hottest leaf. */
  readonly changed?: (delta: FrameDelta) => DetailLine;
  readonly format: WeightFormat;
  readonly axis: AxisLook;
  readonly theme: Theme;
  /** Describes the graph for screen readers: `cpu-clock, all threads`. */
  readonly label: string;
  /** Shown before the breadcrumbs to identify one of several graphs. */
  readonly title?: ReactNode;
  /** Shown first in the head, with controls of its own. */
  readonly head?: ReactNode;
  /** Shown at the end of the head: options of this graph. */
  readonly headEnd?: ReactNode;
  /** Shown below the map. */
  readonly children?: ReactNode;
  /** Returns additional lines for a frame's tooltip. */
  readonly describe?: (node: CallNodeIndex) => Promise<readonly DetailLine[]>;
  /** Called for each frame of a gesture and after each drawing with the visible range, as weights of the whole tree. */
  readonly onViewport?: (first: number, last: number) => void;
  readonly onSelect: (frame: FrameRef | null) => void;
  /** Called on a middle-click or Ctrl-click, which opens the frame elsewhere. */
  readonly onOpenNew?: (frame: FrameRef) => void;
  /** Null when the pointer leaves. */
  readonly onHover?: (frame: FrameRef | null, point: ViewPoint) => void;
  /** Returns the tooltip's content below the name, instead of weights and `describe`. */
  readonly tooltip?: (detail: FrameDetail) => ReactNode;
  /** Links other graphs of the same nodes, which zoom, scroll and highlight together with this one. */
  readonly link?: GraphLink;
  /** A frame that another linked graph shows and this graph's side lacks. */
  readonly missing?: MissingFrame | null;
  /** This graph's side of a comparison, to name it for missing frames. */
  readonly side?: Side;
  /** Pins on frames; keep the array's identity while they are unchanged. */
  readonly pins?: readonly Pin[];
  readonly onPin?: (id: string) => void;
  readonly onContextMenu?: (frame: FrameRef, point: ViewPoint) => void;
  /** Called on `i`. */
  readonly onOrientationChange?: (orientation: Orientation) => void;
  /**
   * Called with the selected stack in the graph's order, one frame per line; with the frame's name; or with the stack
   * as one folded line.
   */
  readonly onCopy?: (text: string) => void;
}
