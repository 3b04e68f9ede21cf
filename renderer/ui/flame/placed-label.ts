import type { LaidOutFrame } from 'd3-flame-graph';
import { ROOT_LABEL, visibleText } from '#core/analyze/function-label.ts';
import type { FlameSlice } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaLook, WeightFormat } from './flame-graph.types.ts';
import type { FlameLayout } from './flame-layout.ts';
import { frameDelta } from './frame-detail.ts';
import { deltaLabel, fillerLabel, frameLabel } from './frame-label.ts';
import type { D3Frame } from './slice-to-d3.ts';

/** Two characters. */
export const LABEL_MIN_PX = 20;
const INDENT_PX = 4;
/** Longer names are cut before they are looked at: no label shows as much. */
const MAX_NAME = 2000;

export interface LabelScene {
  readonly data: FlameSlice;
  readonly layout: FlameLayout;
  readonly format: WeightFormat;
  /** Null outside of comparisons. */
  readonly deltaLook: DeltaLook | null;
  /** Width of one character of the labels' face. */
  readonly characterPx: number;
}

/** Empty where none fits. */
export function labelOf(frame: LaidOutFrame<D3Frame>, scene: LabelScene): string {
  const { data, layout, format, deltaLook, characterPx } = scene;
  const { kind, row } = frame.data;
  const width = widthInView(frame, layout);
  if (width < LABEL_MIN_PX) return '';
  const { slice, func, functions } = data;
  if (kind === 'filler') {
    const share = format.share(slice.total[row]!, layout.rootTotal);
    return frameLabel(fillerLabel(slice.fillerNodes[row]!, share), width, characterPx);
  }
  const name = functions.get(func[row]!)?.name.slice(0, MAX_NAME) ?? ROOT_LABEL;
  const delta = deltaLook === null ? null : frameDelta(data, row);
  if (delta === null) return frameLabel(visibleText(name), width, characterPx);
  const around = { sign: deltaLook!.sign(delta), tails: deltaLook!.tails(delta) };
  return deltaLabel(visibleText(name), around, width, characterPx);
}

/** Where a frame's label begins, in the pixels of the drawing: what is cut off at the view's left edge is labelled there. */
export function labelLeft({ x0, x1 }: LaidOutFrame<D3Frame>, { widthPx, viewLeftPx }: FlameLayout): number {
  const left = x0 * widthPx;
  return INDENT_PX + (viewLeftPx > left && x1 * widthPx > viewLeftPx ? viewLeftPx : left);
}

/** Of a frame that reaches into the view, the part there; else its whole width, for when a pan shows it. */
function widthInView({ x0, x1 }: LaidOutFrame<D3Frame>, { widthPx, viewLeftPx, viewWidthPx }: FlameLayout): number {
  const inView = Math.min(x1 * widthPx, viewLeftPx + viewWidthPx) - Math.max(x0 * widthPx, viewLeftPx);
  return inView > 0 ? inView : (x1 - x0) * widthPx;
}
