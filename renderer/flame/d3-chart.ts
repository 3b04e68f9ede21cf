import flamegraph, { type FlameChart, type LaidOutFrame, type Tooltip } from 'd3-flame-graph';
import { select } from 'd3-selection';
import { ROOT_LABEL } from '#core/analyze/function-label.ts';
import type { FlameSlice, FunctionFacts, Theme, WeightFormat } from './flame-graph.types.ts';
import { MIN_FRAME_PX, ROW_PX, rowTop, type FlameLayout } from './flame-layout.ts';
import { dimmed, neutralColour } from './frame-colour.ts';
import { fillerLabel, frameLabel, visibleText } from './frame-label.ts';
import { sliceToD3, type D3Frame } from './slice-to-d3.ts';
import { drawStill } from './still-drawing.ts';

type Frame = LaidOutFrame<D3Frame>;

/** Frames of exactly the least width come out of the layout a little narrower. */
const ROUNDING_PX = 1e-6;

/**
 * Two characters: d3-flame-graph itself hides labels under 35 px, which the style sheet undoes. The boxes around labels take half of
 * the layout's time, so narrower frames have none.
 */
const LABEL_MIN_PX = 20;
/** As the style sheet has it. */
const LABEL_INDENT_PX = 4;

/** Everything that one drawing shows. */
export interface FlameScene {
  readonly data: FlameSlice;
  readonly layout: FlameLayout;
  readonly matches: Uint8Array | null;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Of what a search matches; null: its own colour. */
  readonly matchColour: string | null;
  readonly theme: Theme;
  readonly format: WeightFormat;
  /** `url(#…)` of the hatching that fillers are drawn with. */
  readonly fillerPaint: string;
}

/** The tooltip is ours: with one set, d3-flame-graph adds no SVG titles, and calls these. */
const noTooltip: Tooltip = Object.assign(() => undefined, {
  show: () => undefined,
  hide: () => undefined,
  destroy: () => undefined,
});

export interface D3Chart {
  /** Returns where the drawing's top belongs within the content, in pixels. */
  draw(scene: FlameScene): number;
  /** The slice row drawn at an event's target: −1 where that is no frame. */
  rowAt(target: EventTarget | null): number;
  destroy(): void;
}

/** d3-flame-graph in `host`, which it keeps for itself. Draws what it is given and reacts to nothing. */
export function createD3Chart(host: HTMLElement): D3Chart {
  let chart: FlameChart<D3Frame> | null = null;
  let scene: FlameScene | null = null;
  /** By slice row, for one drawing: d3-flame-graph asks twice. */
  let labels: (string | undefined)[] = [];
  let indented: HTMLElement[] = [];

  function create(): FlameChart<D3Frame> {
    return flamegraph<D3Frame>()
      .cellHeight(ROW_PX)
      .selfValue(true)
      .transitionDuration(0)
      .minFrameSize(MIN_FRAME_PX - ROUNDING_PX)
      .tooltip(noTooltip)
      .setLabelHandler(() => '')
      .getName((frame) =>
        frame.data.row < 0 || scene === null ? '' : (labels[frame.data.row] ??= labelOf(frame, scene)),
      )
      .setColorMapper((frame) => (scene === null ? '' : fillOf(frame, scene)));
  }

  return {
    draw(next) {
      scene = next;
      labels = [];
      const isFirst = chart === null;
      chart ??= create();
      const { root, rootDepth, lastDepth } = sliceToD3(next.data.slice, next.layout.range);
      const isIcicle = next.layout.orientation === 'icicle';
      const height = (lastDepth - rootDepth + 1) * ROW_PX;
      chart.width(next.layout.widthPx).height(height).inverted(isIcicle);
      const drawing = chart;
      drawStill(() => {
        if (isFirst) drawing(select(host).datum(root));
        else drawing.update(root);
      });
      host.querySelector('svg')?.setAttribute('height', String(height));
      indented = markFrames(host, next, indented);
      return rowTop(next.layout, isIcicle ? rootDepth : lastDepth);
    },
    rowAt(target) {
      const group = target instanceof Element ? target.closest('g') : null;
      return group === null || !host.contains(group) ? -1 : datumOf(group).data.row;
    },
    destroy() {
      chart?.destroy();
      chart = null;
    },
  };
}

function datumOf(group: Element): Frame {
  return select<Element, Frame>(group).datum();
}

/** The function drawn in a row, null at the tree's root. */
function factsOf(scene: FlameScene, row: number): FunctionFacts | null {
  return scene.data.functions.get(scene.data.func[row]!) ?? null;
}

function labelOf(frame: Frame, scene: FlameScene): string {
  const { kind, row } = frame.data;
  const width = widthInView(frame, scene.layout);
  if (width < LABEL_MIN_PX) return '';
  const { slice } = scene.data;
  if (kind === 'filler') {
    const share = scene.format.share(slice.total[row]!, scene.layout.rootTotal);
    return frameLabel(fillerLabel(slice.fillerNodes[row]!, share), width);
  }
  return frameLabel(visibleText(factsOf(scene, row)?.name.slice(0, 2000) ?? ROOT_LABEL), width);
}

function isDimmed(scene: FlameScene, row: number): boolean {
  return scene.matches !== null && scene.matches[scene.data.func[row]!] !== 1;
}

function fillOf(frame: Frame, scene: FlameScene): string {
  const { kind, row } = frame.data;
  if (kind === 'spacer') return 'none';
  if (kind === 'filler') return scene.fillerPaint;
  const facts = factsOf(scene, row);
  const colour = facts === null ? neutralColour(scene.theme) : scene.colourOf(facts);
  if (scene.matchColour !== null && facts !== null && scene.matches?.[scene.data.func[row]!] === 1)
    return scene.matchColour;
  return isDimmed(scene, row) ? dimmed(colour, scene.theme) : colour;
}

/** Of a frame that reaches into the view, the part there; else its whole width, for when a pan shows it. */
function widthInView({ x0, x1 }: Frame, { widthPx, viewLeftPx, viewWidthPx }: FlameLayout): number {
  const inView = Math.min(x1 * widthPx, viewLeftPx + viewWidthPx) - Math.max(x0 * widthPx, viewLeftPx);
  return inView > 0 ? inView : (x1 - x0) * widthPx;
}

/**
 * d3-flame-graph gives every frame one class; ours follow what the frame stands for now. Labels of frames that begin left of the view
 * begin at its edge: those are returned, to be put back before the next drawing.
 */
function markFrames(host: HTMLElement, scene: FlameScene, indented: readonly HTMLElement[]): HTMLElement[] {
  for (const label of indented) label.style.removeProperty('padding-left');
  const { widthPx, viewLeftPx } = scene.layout;
  const moved: HTMLElement[] = [];
  for (const group of host.querySelectorAll('g')) {
    const { x0, x1, data } = datumOf(group);
    const classes = ['frame'];
    if (data.kind !== 'frame') classes.push(data.kind);
    else if (isDimmed(scene, data.row)) classes.push('dimmed');
    if ((x1 - x0) * widthPx < LABEL_MIN_PX) classes.push('narrow');
    if (classes.length > 1) group.setAttribute('class', classes.join(' '));
    if (viewLeftPx > 0 && x0 * widthPx < viewLeftPx && x1 * widthPx > viewLeftPx) {
      const label = group.querySelector<HTMLElement>('.d3-flame-graph-label');
      label?.style.setProperty('padding-left', `${viewLeftPx - x0 * widthPx + LABEL_INDENT_PX}px`);
      if (label !== null) moved.push(label);
    }
  }
  return moved;
}
