import flamegraph, { type FlameChart, type LaidOutFrame, type Tooltip } from 'd3-flame-graph';
import { select } from 'd3-selection';
import type { DeltaLook, FrameDelta, FunctionFacts, Theme } from './flame-graph.types.ts';
import { MIN_DRAWN_PX, rowTop } from './flame-layout.ts';
import { dimmed, neutralColour } from './frame-colour.ts';
import { frameDelta } from './frame-detail.ts';
import { sliceToD3, type D3Frame } from './slice-to-d3.ts';
import { drawStill } from './still-drawing.ts';
import { LABEL_MIN_PX, drawLabel, type LabelScene } from './svg-label.ts';

type Frame = LaidOutFrame<D3Frame>;

/** Frames of exactly the least width come out of the layout a little narrower. */
const ROUNDING_PX = 1e-6;

/** Everything that one drawing shows. */
export interface FlameScene extends LabelScene {
  readonly matches: Uint8Array | null;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** What stays in its colour; null: all. */
  readonly isLit: ((facts: FunctionFacts) => boolean) | null;
  /** Of what a search matches; null: its own colour. */
  readonly matchColour: string | null;
  readonly theme: Theme;
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
  destroy(): void;
}

/** d3-flame-graph in `host`, which it keeps for itself. Draws what it is given and reacts to nothing. */
export function createD3Chart(host: HTMLElement, rowPx: number): D3Chart {
  let chart: FlameChart<D3Frame> | null = null;
  let scene: FlameScene | null = null;

  function create(): FlameChart<D3Frame> {
    return flamegraph<D3Frame>()
      .cellHeight(rowPx)
      .selfValue(true)
      .transitionDuration(0)
      .minFrameSize(MIN_DRAWN_PX - ROUNDING_PX)
      .tooltip(noTooltip)
      .setLabelHandler(() => '')
      .getName(() => '')
      .setColorMapper((frame) => (scene === null ? '' : fillOf(frame, scene)));
  }

  return {
    draw(next) {
      scene = next;
      const isFirst = chart === null;
      chart ??= create();
      const { root, rootDepth, lastDepth } = sliceToD3(next.data.slice, next.layout.range);
      const isIcicle = next.layout.orientation === 'icicle';
      const height = (lastDepth - rootDepth + 1) * rowPx;
      chart.width(next.layout.widthPx).height(height).inverted(isIcicle);
      const drawing = chart;
      drawStill(() => {
        if (isFirst) drawing(select(host).datum(root));
        else drawing.update(root);
      });
      host.querySelector('svg')?.setAttribute('height', String(height));
      for (const group of host.querySelectorAll('g')) dress(group, next);
      return rowTop(next.layout, isIcicle ? rootDepth : lastDepth);
    },
    destroy() {
      chart?.destroy();
      chart = null;
    },
  };
}

/** What a row looks by, where it is one of a comparison. */
function lookOf({ data, deltaLook }: FlameScene, row: number): { look: DeltaLook; delta: FrameDelta } | null {
  const delta = deltaLook === null ? null : frameDelta(data, row);
  return delta === null ? null : { look: deltaLook!, delta };
}

function isDimmed(scene: FlameScene, row: number): boolean {
  const func = scene.data.func[row]!;
  const compared = lookOf(scene, row);
  if (compared !== null && !compared.look.isLit(compared.delta)) return true;
  const facts = scene.data.functions.get(func);
  if (scene.isLit !== null && (facts === undefined || !scene.isLit(facts))) return true;
  return scene.matches !== null && scene.matches[func] !== 1;
}

function fillOf(frame: Frame, scene: FlameScene): string {
  const { kind, row } = frame.data;
  if (kind === 'spacer') return 'none';
  if (kind === 'filler') return scene.fillerPaint;
  const facts = scene.data.functions.get(scene.data.func[row]!) ?? null;
  const colour = colourOf(scene, row, facts);
  if (scene.matchColour !== null && facts !== null && scene.matches?.[scene.data.func[row]!] === 1)
    return scene.matchColour;
  return isDimmed(scene, row) ? dimmed(colour, scene.theme) : colour;
}

function colourOf(scene: FlameScene, row: number, facts: FunctionFacts | null): string {
  const compared = lookOf(scene, row);
  if (compared !== null) return compared.look.colour(compared.delta);
  return facts === null ? neutralColour(scene.theme) : scene.colourOf(facts);
}

/** d3-flame-graph gives every frame one class, and uses an element again for another frame: ours follow what it stands for now. */
function dress(group: SVGGElement, scene: FlameScene): void {
  const frame = select<Element, Frame>(group).datum();
  const { x0, x1, data } = frame;
  const classes = ['frame'];
  if (data.kind !== 'frame') classes.push(data.kind);
  else if (isDimmed(scene, data.row)) classes.push('dimmed');
  else if (isGrey(scene, data.row)) classes.push('grey');
  if ((x1 - x0) * scene.layout.widthPx < LABEL_MIN_PX) classes.push('narrow');
  if (classes.length > 1) group.setAttribute('class', classes.join(' '));
  drawLabel(group, frame, scene);
}

function isGrey(scene: FlameScene, row: number): boolean {
  const compared = lookOf(scene, row);
  return compared !== null && compared.look.isGrey(compared.delta);
}
