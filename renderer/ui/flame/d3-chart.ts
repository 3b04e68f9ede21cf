import flamegraph, { type FlameChart, type LaidOutFrame, type Tooltip } from 'd3-flame-graph';
import { select } from 'd3-selection';
import { changeAttribute } from './change-attribute.ts';
import type { FlameSlice, FrameDelta, FunctionFacts } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaLook, Theme } from './flame-graph.types.ts';
import { HATCH_MIN_PX } from '#core/analyze/graph/flame-slice.ts';
import { rowTop } from './flame-layout.ts';
import { dimmed, neutralColour } from './frame-colour.ts';
import { frameDelta } from './frame-detail.ts';
import { LabelCanvas, type LabelTone, type PlacedLabel } from './label-canvas.ts';
import { LABEL_MIN_PX, labelLeft, labelOf, type LabelScene } from './placed-label.ts';
import { sliceToD3, type D3Frame } from './slice-to-d3.ts';
import { drawStill } from './still-drawing.ts';
import { TextureCanvas } from './texture-canvas.ts';

type Frame = LaidOutFrame<D3Frame>;

/** Of the labels' 11-px face within a row, from its middle. */
const BASELINE_PX = 3.5;
const CORNER_PX = '2.5';

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
  /** Returns where the drawing's top belongs within the content, in pixels. `isMoved`: it is another part of the same graph, whose texture stays. */
  draw(scene: FlameScene, isMoved?: boolean): number;
  /** What the fillers hold of what was drawn last. */
  drawTexture(data: FlameSlice): void;
  destroy(): void;
}

/** d3-flame-graph in `host`, which it keeps for itself. Draws what it is given and reacts to nothing. */
export function createD3Chart(host: HTMLElement, rowPx: number): D3Chart {
  let chart: FlameChart<D3Frame> | null = null;
  let scene: FlameScene | null = null;
  let topPx = 0;
  const texture = new TextureCanvas(host);
  const labels = new LabelCanvas(host);

  function create(): FlameChart<D3Frame> {
    return flamegraph<D3Frame>()
      .cellHeight(rowPx)
      .selfValue(true)
      .transitionDuration(0)
      .tooltip(noTooltip)
      .setLabelHandler(() => '')
      .getName(() => '')
      .setColorMapper((frame) => (scene === null ? '' : fillOf(frame, scene)));
  }

  function drawTexture(data: FlameSlice): void {
    if (scene === null) return;
    const shown = (scene = { ...scene, data });
    texture.draw(data.texture ?? null, shown.layout, topPx, (func) =>
      shade(shown, func, functionColour(shown, func), isFunctionDimmed(shown, func)),
    );
  }

  return {
    draw(next, isMoved = false) {
      scene = next;
      const isFirst = chart === null;
      chart ??= create();
      const { root, rootDepth, lastDepth } = sliceToD3(next.data.slice, next.layout.range);
      const isIcicle = next.layout.orientation === 'icicle';
      const height = (lastDepth - rootDepth + 1) * rowPx;
      chart.width(next.layout.widthPx).height(height).inverted(isIcicle);
      const drawing = chart;
      drawStill(
        () => {
          if (isFirst) drawing(select(host).datum(root));
          else drawing.update(root);
        },
        (frame) => isDrawn(frame as Frame, next.layout.widthPx),
      );
      const svg = host.querySelector('svg');
      // Its style sheet's rules for rectangles hang on it.
      if (isFirst) svg?.removeAttribute('class');
      svg?.setAttribute('height', String(height));
      const placed: PlacedLabel[] = [];
      for (const group of host.querySelectorAll('g')) {
        const frame = select<Element, Frame>(group).datum();
        const top = (isIcicle ? frame.depth : lastDepth - rootDepth - frame.depth) * rowPx;
        const label = dress(group, frame, top, next);
        if (label !== null) placed.push(label);
      }
      topPx = rowTop(next.layout, isIcicle ? rootDepth : lastDepth);
      texture.place(isMoved ? next.layout : null, topPx);
      labels.draw(placed, next.layout.widthPx, height);
      return topPx;
    },
    drawTexture,
    destroy() {
      chart?.destroy();
      labels.destroy();
      texture.destroy();
      chart = null;
    },
  };
}

/** Not what only holds a place. */
function isDrawn({ data: { kind }, x0, x1 }: Frame, widthPx: number): boolean {
  return kind === 'frame' || (kind === 'filler' && (x1 - x0) * widthPx >= HATCH_MIN_PX);
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
  return isFunctionDimmed(scene, func);
}

function isFunctionDimmed({ data, isLit, matches }: FlameScene, func: number): boolean {
  const facts = data.functions.get(func);
  if (isLit !== null && (facts === undefined || !isLit(facts))) return true;
  return matches !== null && matches[func] !== 1;
}

function fillOf(frame: Frame, scene: FlameScene): string {
  const { kind, row } = frame.data;
  if (kind === 'filler') return scene.fillerPaint;
  const func = scene.data.func[row]!;
  const compared = lookOf(scene, row);
  const colour = compared === null ? functionColour(scene, func) : compared.look.colour(compared.delta);
  return shade(scene, func, colour, isDimmed(scene, row));
}

function functionColour({ data, theme, colourOf }: FlameScene, func: number): string {
  const facts = data.functions.get(func);
  return facts === undefined ? neutralColour(theme) : colourOf(facts);
}

function shade({ matches, matchColour, theme }: FlameScene, func: number, colour: string, isDim: boolean): string {
  if (matchColour !== null && matches?.[func] === 1) return matchColour;
  return isDim ? dimmed(colour, theme) : colour;
}

/** d3-flame-graph uses an element again for another frame: it follows what it stands for now. Returns its label where one fits. */
function dress(group: SVGGElement, frame: Frame, top: number, scene: FlameScene): PlacedLabel | null {
  const { widthPx, rowPx } = scene.layout;
  const { x0, x1, data } = frame;
  const tone = toneOf(data, scene);
  const classes = ['frame'];
  if (tone !== 'frame') classes.push(tone);
  const isNarrow = (x1 - x0) * widthPx < LABEL_MIN_PX;
  if (isNarrow) classes.push('narrow');
  changeAttribute(group, 'class', classes.join(' '));
  const rect = group.firstElementChild!;
  changeAttribute(rect, 'x', String(x0 * widthPx));
  changeAttribute(rect, 'y', String(top));
  changeAttribute(rect, 'rx', isNarrow ? '0' : CORNER_PX);
  const text = labelOf(frame, scene);
  setText(group, text);
  if (text === '') return null;
  return { text, left: labelLeft(frame, scene.layout), baseline: top + rowPx / 2 + BASELINE_PX, tone };
}

/** Text of a group is not shown and takes no layout: it says in the document what the frame is. */
function setText(group: SVGGElement, text: string): void {
  const known = group.lastChild;
  if (!(known instanceof Text)) group.append(text);
  else if (known.data !== text) known.data = text;
}

function toneOf({ kind, row }: D3Frame, scene: FlameScene): LabelTone {
  if (kind !== 'frame') return 'filler';
  if (isDimmed(scene, row)) return 'dimmed';
  return isGrey(scene, row) ? 'grey' : 'frame';
}

function isGrey(scene: FlameScene, row: number): boolean {
  const compared = lookOf(scene, row);
  return compared !== null && compared.look.isGrey(compared.delta);
}
