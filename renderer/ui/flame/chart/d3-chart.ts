import flamegraph from 'd3-flame-graph';
import type { FlameChart, LaidOutFrame, Tooltip } from 'd3-flame-graph';
import { select } from 'd3-selection';
import { changeAttribute } from './change-attribute.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { FlameSlice, FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaStyle, Theme, WeightFormat } from '../graph.types.ts';
import { rowTop, type FlameLayout } from './layout.ts';
import { dimmed, neutralColour } from '#core/colour/frame-colour.ts';
import { frameDelta } from '../tooltip/frame-detail.ts';
import { LabelCanvas, type LabelTone, type PlacedLabel } from './label-canvas.ts';
import { sliceToD3, type D3Frame } from './slice-to-d3.ts';
import { extendSelections } from './still-selections.ts';
import { TextureCanvas } from './texture-canvas.ts';
import { ROOT_LABEL, visibleText } from '#core/analyze/function-label.ts';
import { deltaLabel, fillerLabel, frameLabel } from './frame-label.ts';

type Frame = LaidOutFrame<D3Frame>;

/** Distance of the baseline from a row's middle, for the labels' 11-px font. */
const BASELINE_PX = 3.5;
const CORNER_PX = '2.5';

/** Everything that one drawing shows. */
interface FlameScene extends LabelScene {
  readonly matches: Uint8Array | null;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Returns whether a frame keeps its colour; null if all do. */
  readonly isLit: ((facts: FunctionFacts) => boolean) | null;
  /** Colour of matches; null keeps their own colours. */
  readonly matchColour: string | null;
  readonly theme: Theme;
  /** `url(#…)` of the pattern with which fillers are hatched. */
  readonly fillerPaint: string;
}

/**
 * Flamebench draws its own tooltip. With a tooltip set, d3-flame-graph adds no SVG titles and calls these functions.
 */
const noTooltip: Tooltip = Object.assign(() => undefined, {
  show: () => undefined,
  hide: () => undefined,
  destroy: () => undefined,
});

export interface D3Chart {
  /**
   * Draws a scene. Returns the top of the drawing within the content, in pixels. `isMoved` means that it shows another
   * part of the same graph, whose texture stays.
   */
  draw(scene: FlameScene, isMoved?: boolean): number;
  /** Draws the texture of the latest drawing's fillers. */
  drawTexture(data: FlameSlice): void;
  destroy(): void;
}

/** Creates a d3-flame-graph in `host`, which it owns. It only draws and handles no input. */
export function createD3Chart(host: HTMLElement, rowPx: number): D3Chart {
  let chart: FlameChart<D3Frame> | null = null;
  let scene: FlameScene | null = null;
  let topPx = 0;
  const texture = new TextureCanvas(host);
  const labels = new LabelCanvas(host);

  function create(): FlameChart<D3Frame> {
    extendSelections();
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
      const { root, rootDepth, lastDepth } = sliceToD3(next.data.slice, next.layout.range, next.layout.widthPx);
      const isIcicle = next.layout.orientation === 'icicle';
      const height = (lastDepth - rootDepth + 1) * rowPx;
      chart.width(next.layout.widthPx).height(height).inverted(isIcicle);
      if (isFirst) chart(select(host).datum(root));
      else chart.update(root);
      const svg = host.querySelector('svg');
      // d3-flame-graph's stylesheet applies its rules for rectangles through this class.
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

/** Returns the comparison's appearance and delta of a row; null outside of comparisons. */
function styleOf({ data, deltaStyle }: FlameScene, row: number): { look: DeltaStyle; delta: FrameDelta } | null {
  const delta = deltaStyle === null ? null : frameDelta(data, row);
  return delta === null ? null : { look: deltaStyle!, delta };
}

function isDimmed(scene: FlameScene, row: number): boolean {
  const func = scene.data.func[row]!;
  const compared = styleOf(scene, row);
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
  const compared = styleOf(scene, row);
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

/**
 * Updates an element to the frame that it now represents, because d3-flame-graph reuses elements. Returns its label if
 * one fits.
 */
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

/** Sets a group's text, which is neither painted nor laid out but identifies the frame in the document. */
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
  const compared = styleOf(scene, row);
  return compared !== null && compared.look.isGrey(compared.delta);
}

/** Minimum width for a label: two characters. */
const LABEL_MIN_PX = 20;
const INDENT_PX = 4;
/** Longer names are cut before they are processed; no label shows that many characters. */
const MAX_NAME = 2000;

interface LabelScene {
  readonly data: FlameSlice;
  readonly layout: FlameLayout;
  readonly format: WeightFormat;
  /** Null outside of comparisons. */
  readonly deltaStyle: DeltaStyle | null;
  /** Width of one character of the labels' font. */
  readonly characterPx: number;
}

/** Returns the frame's label; empty if none fits. */
function labelOf(frame: LaidOutFrame<D3Frame>, scene: LabelScene): string {
  const { data, layout, format, deltaStyle, characterPx } = scene;
  const { kind, row } = frame.data;
  const width = widthInView(frame, layout);
  if (width < LABEL_MIN_PX) return '';
  const { slice, func, functions } = data;
  if (kind === 'filler') {
    const share = format.share(slice.total[row]!, layout.rootTotal);
    return frameLabel(fillerLabel(slice.fillerNodes[row]!, share), width, characterPx);
  }
  const name = functions.get(func[row]!)?.name.slice(0, MAX_NAME) ?? ROOT_LABEL;
  const delta = deltaStyle === null ? null : frameDelta(data, row);
  if (delta === null) return frameLabel(visibleText(name), width, characterPx);
  const around = { sign: deltaStyle!.sign(delta), tails: deltaStyle!.tails(delta) };
  return deltaLabel(visibleText(name), around, width, characterPx);
}

/**
 * Returns where a frame's label starts, in pixels of the drawing: at the view's left edge if the frame is cut off
 * there.
 */
function labelLeft({ x0, x1 }: LaidOutFrame<D3Frame>, { widthPx, viewLeftPx }: FlameLayout): number {
  const left = x0 * widthPx;
  return INDENT_PX + (viewLeftPx > left && x1 * widthPx > viewLeftPx ? viewLeftPx : left);
}

/** Returns the width of the frame's visible part; its whole width if it is not visible, since panning may reveal it. */
function widthInView({ x0, x1 }: LaidOutFrame<D3Frame>, { widthPx, viewLeftPx, viewWidthPx }: FlameLayout): number {
  const inView = Math.min(x1 * widthPx, viewLeftPx + viewWidthPx) - Math.max(x0 * widthPx, viewLeftPx);
  return inView > 0 ? inView : (x1 - x0) * widthPx;
}
