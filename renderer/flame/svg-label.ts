import type { LaidOutFrame } from 'd3-flame-graph';
import { ROOT_LABEL } from '#core/analyze/function-label.ts';
import type { DeltaLook, FlameSlice, WeightFormat } from './flame-graph.types.ts';
import type { FlameLayout } from './flame-layout.ts';
import { frameDelta } from './frame-detail.ts';
import { deltaLabel, fillerLabel, frameLabel, visibleText } from './frame-label.ts';
import type { D3Frame } from './slice-to-d3.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Two characters. */
export const LABEL_MIN_PX = 20;
const INDENT_PX = 4;
/** Of the 11-px face within a row, from its middle. */
const BASELINE_PX = 3.5;
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

/** Writes a frame's label into its group, which keeps the element. What is cut off at the view's left edge is labelled there. */
export function drawLabel(group: SVGGElement, frame: LaidOutFrame<D3Frame>, scene: LabelScene): void {
  const known = group.lastElementChild;
  const label = known?.localName === 'text' ? known : null;
  const text = labelOf(frame, scene);
  if (text === '') {
    label?.remove();
    return;
  }
  const { widthPx, viewLeftPx } = scene.layout;
  const left = frame.x0 * widthPx;
  const reachesIn = viewLeftPx > left && frame.x1 * widthPx > viewLeftPx;
  const indent = String(INDENT_PX + (reachesIn ? viewLeftPx - left : 0));
  if (label === null) {
    const made = document.createElementNS(SVG, 'text');
    made.setAttribute('class', 'flame-label');
    made.setAttribute('x', indent);
    made.setAttribute('y', String(scene.layout.rowPx / 2 + BASELINE_PX));
    made.textContent = text;
    group.append(made);
    return;
  }
  if (label.getAttribute('x') !== indent) label.setAttribute('x', indent);
  if (label.textContent !== text) label.textContent = text;
}

function labelOf(frame: LaidOutFrame<D3Frame>, { data, layout, format, deltaLook, characterPx }: LabelScene): string {
  const { kind, row } = frame.data;
  const width = kind === 'spacer' ? 0 : widthInView(frame, layout);
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

/** Of a frame that reaches into the view, the part there; else its whole width, for when a pan shows it. */
function widthInView({ x0, x1 }: LaidOutFrame<D3Frame>, { widthPx, viewLeftPx, viewWidthPx }: FlameLayout): number {
  const inView = Math.min(x1 * widthPx, viewLeftPx + viewWidthPx) - Math.max(x0 * widthPx, viewLeftPx);
  return inView > 0 ? inView : (x1 - x0) * widthPx;
}
