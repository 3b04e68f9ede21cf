import { HATCH_MIN_PX } from '#core/analyze/graph/flame-slice.ts';
import type { VisibleSlice } from '#core/analyze/view/stack-view.ts';
import type { WeightRange } from '../../../../core/analyze/graph/weight-range.ts';

/** A node for d3-flame-graph. A `spacer` takes up space and is not shown. */
export interface D3Frame {
  readonly kind: 'frame' | 'filler' | 'spacer';
  /** Row of the slice; −1 for spacers. */
  readonly row: number;
  /** False for what gets no element: spacers, and fillers too narrow for hatching. */
  readonly isDrawn: boolean;
  /** Weight that no child covers (d3-flame-graph's `selfValue(true)`). */
  value: number;
  readonly children: D3Frame[];
}

interface D3Tree {
  readonly root: D3Frame;
  /**
   * Depth at which `root` is drawn, below the slice's root: one above the slice's first depth if `root` is a spacer,
   * and −1 if it is above the slice's root.
   */
  readonly rootDepth: number;
  /** Depth of the deepest row, below the slice's root. */
  readonly lastDepth: number;
}

/** Relative rounding error of sums, which depend on the order of addition. */
const ROUNDING = 1e-9;

/**
 * Converts a slice to the nested objects that d3-flame-graph takes; nothing else in Flamebench nests. Spacers keep
 * frames at their `start`: above the first depth if the slice begins below its root or the root does not fill the
 * range, and between rows that are not adjacent. Frames are clipped to `range`.
 */
export function sliceToD3(slice: VisibleSlice, range: WeightRange, widthPx: number): D3Tree {
  const span = range.last - range.first;
  const firstDepth = slice.length === 0 ? 1 : slice.depth[0]!;
  const lastDepth = slice.depth.reduce((deepest, depth) => Math.max(deepest, depth), 0);
  const fills = firstDepth === 0 && slice.total[0]! >= range.last * (1 - ROUNDING);
  const root: D3Frame = fills ? { kind: 'frame', row: 0, isDrawn: true, value: span, children: [] } : spacer(span);
  fillIn(slice, range, root, (HATCH_MIN_PX * span) / widthPx);
  return { root, rootDepth: fills ? 0 : firstDepth - 1, lastDepth };
}

function spacer(value: number): D3Frame {
  return { kind: 'spacer', row: -1, isDrawn: false, value, children: [] };
}

/**
 * Attaches the slice's rows below `root`. A parent's `value` starts as its total and is reduced by its children. Fillers
 * below `hatchedWeight` are too narrow to draw.
 */
function fillIn(slice: VisibleSlice, range: WeightRange, root: D3Frame, hatchedWeight: number): void {
  const rounding = ROUNDING * (range.last - range.first);
  const frames: D3Frame[] = [];
  /** Where the next child of each frame would start if it were adjacent. */
  const cursors = new Map<D3Frame, number>();
  for (let row = 0; row < slice.length; row++) {
    if (row === 0 && root.row === 0) {
      frames.push(root);
      continue;
    }
    const start = Math.max(range.first, slice.start[row]!);
    const total = Math.max(0, Math.min(range.last, slice.start[row]! + slice.total[row]!) - start);
    const parentRow = slice.parent[row]!;
    const parent = parentRow < 0 ? root : frames[parentRow]!;
    const gap = start - (cursors.get(parent) ?? range.first);
    if (gap > rounding) hang(parent, spacer(gap));
    const kind = slice.node[row]! < 0 ? 'filler' : 'frame';
    const isDrawn = kind === 'frame' || total >= hatchedWeight;
    const frame: D3Frame = { kind, row, isDrawn, value: total, children: [] };
    hang(parent, frame);
    frames.push(frame);
    cursors.set(frame, start);
    cursors.set(parent, start + total);
  }
}

function hang(parent: D3Frame, child: D3Frame): void {
  parent.children.push(child);
  parent.value = Math.max(0, parent.value - child.value);
}
