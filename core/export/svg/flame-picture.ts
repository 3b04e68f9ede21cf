import { ROOT_LABEL, visibleText } from '../../analyze/function-label.ts';
import type { NamedFunctions } from '../../analyze/function-ref.ts';
import type { FunctionFacts } from '../../model/function-facts.ts';
import { dimmed } from '../../colour/frame-colour.ts';
import { flameSlice } from '../../analyze/graph/tree-source.ts';
import type { CallTree } from '../../analyze/view/stack-view.ts';
import type { CallNodeIndex } from '../../model/brand.ts';
import { findUnit } from '../../units/units.ts';

/** A frame of a static graph; pixels from the left edge and from the root's row. */
export interface PictureFrame {
  /** → call tree rows */
  readonly node: number;
  readonly depth: number;
  readonly left: number;
  readonly width: number;
  readonly name: string;
  /** `parse (1,234 samples, 5.67%)`, as flamegraph.pl has it: tools read it back. */
  readonly title: string;
  /** Total weight, and where it begins within the root. */
  readonly weight: number;
  readonly start: number;
  /** `#rrggbb` */
  readonly fill: string;
  /** Numbers of the notes on it. */
  readonly pins: readonly number[];
}

export interface FlamePicture {
  readonly width: number;
  /** Number of rows, including the root's. */
  readonly rows: number;
  /** The root first; callers before callees. */
  readonly frames: readonly PictureFrame[];
  /** Number of frames too narrow to be drawn. */
  readonly hidden: number;
  /** The root's weight. */
  readonly total: number;
  /** `sandwich`: callers above, callees below; depths count rows from the top. */
  readonly orientation: 'flame' | 'icicle' | 'sandwich';
}

interface PictureOptions {
  readonly names: NamedFunctions;
  readonly tree: CallTree;
  /** The frame that fills the width. */
  readonly root: number;
  readonly width: number;
  /** Frames narrower than this are left out. */
  readonly minWidth: number;
  /** Maximum number of frames; beyond it, the narrowest are left out. */
  readonly maxFrames: number;
  readonly orientation: FlamePicture['orientation'];
  /** Unit of the weights; see core/units. */
  readonly unit: string;
  /** Returns a frame's colour; `facts` is null for the root. */
  readonly colour: (node: number, facts: FunctionFacts | null) => string;
  /** By function: 1 if the search matches. Other frames are dimmed, as on screen. */
  readonly matches?: Uint8Array | null;
  /** Text after the share in a frame's title: `; +0.12%`. */
  readonly suffix?: (node: number) => string;
  /** Weight that is 100 % and fills the width; absent: the root's total. */
  readonly scale?: number;
  readonly pins?: (node: number, func: number) => readonly number[];
}

/** Deeper frames are left out. */
const MAX_ROWS = 2000;

/** Lays out a call tree as a picture, and counts the frames that are too narrow. */
export function flamePicture(options: PictureOptions): FlamePicture {
  const { names, tree, root, width, minWidth, maxFrames, orientation, colour, matches, suffix, pins } = options;
  const total = tree.total[root]!;
  const scale = options.scale ?? total;
  const { slice, functions, func } = flameSlice(names, tree, {
    root: root as CallNodeIndex,
    widthPx: scale > 0 ? Math.max(1, (width * total) / scale) : width,
    minWidthPx: minWidth,
    firstDepth: 0,
    depthCount: MAX_ROWS,
    maxFrames,
  });
  const pxPerWeight = scale > 0 ? width / scale : 0;
  const frames: PictureFrame[] = [];
  let hidden = 0;
  let rows = 1;
  const isDimmed = (index: number): boolean => index >= 0 && matches?.[index] === 0;
  for (let row = 0; row < slice.length; row++) {
    const node = slice.node[row]!;
    if (node < 0) {
      hidden += slice.fillerNodes[row]!;
      continue;
    }
    const weight = slice.total[row]!;
    const facts = func[row]! < 0 ? null : functions.get(func[row]!)!;
    const name = facts === null ? ROOT_LABEL : facts.name;
    const share = total === 0 ? 0 : (100 * weight) / total;
    rows = Math.max(rows, slice.depth[row]! + 1);
    frames.push({
      node,
      depth: slice.depth[row]!,
      left: slice.start[row]! * pxPerWeight,
      width: weight * pxPerWeight,
      name,
      title: frameTitle(name, weight, options.unit, share, suffix?.(node)),
      weight,
      start: slice.start[row]!,
      fill: isDimmed(func[row]!) ? dimmed(colour(node, facts), 'light') : colour(node, facts),
      pins: pins?.(node, func[row]!) ?? [],
    });
  }
  return { width, rows, frames, hidden, total, orientation };
}

/** Returns `parse (1,234 samples, 5.67%)`; `share` is in percent, `suffix` follows it. */
export const frameTitle = (name: string, weight: number, unit: string, share: number, suffix = ''): string =>
  `${visibleText(name)} (${plainWeight(weight)} ${pictureUnit(unit)}, ${share.toFixed(2)}%${suffix})`;

/** Returns `samples` for counts, otherwise a word without blanks, commas and brackets, which would end it. */
function pictureUnit(unit: string): string {
  const known = findUnit(unit);
  if (known === null) return visibleText(unit).replace(/[\s,()]+/g, '-') || 'samples';
  return known.dimension === 'count' ? 'samples' : known.name;
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

const plainWeight = (weight: number): string => number.format(weight);
