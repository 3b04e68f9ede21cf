import { useEffect, useRef, useState, type JSX, type PointerEvent, type RefObject } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { afterPaint } from '../chart/after-paint.ts';
import type { FunctionFacts } from '#core/model/function-facts.ts';
import type { FlameSlice, FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaStyle, Orientation, Theme } from '../graph.types.ts';
import { neutralColour } from '#core/colour/frame-colour.ts';
import { frameDelta } from '../tooltip/frame-detail.ts';
import { MAP_ROW_PX, mapRows, type VisibleRows } from './map-box.ts';

const TREE_ROOT = 0 as CallNodeIndex;
/** Maximum number of frames; a canvas draws them in a few milliseconds. */
const MAX_FRAMES = 8000;
/** Shorter movements count as a click, which moves the view there. */
const MIN_DRAG_PX = 4;

interface MinimapProps {
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly theme: Theme;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Null outside of comparisons. */
  readonly deltaStyle: DeltaStyle | null;
  /** The box that marks the visible part; its position in percent is set by the code that moves the view. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Returns the visible range as weights of the whole tree. */
  readonly view: () => { first: number; last: number };
  readonly onShow: (first: number, last: number) => void;
  readonly rows: () => VisibleRows;
  /** Scrolls to a row. */
  readonly onRows: (first: number) => void;
}

/** A position in the map: the weight from the left, the row from the root. */
interface MapPlace {
  readonly weight: number;
  readonly row: number;
}

interface Drag {
  readonly from: MapPlace;
  /** The view at the start if the drag moves it; null if the drag may select a new range. */
  readonly view: { first: number; last: number } | null;
  readonly rows: VisibleRows;
  /** What the drag does; null until its direction is clear. */
  readonly does: 'move' | 'choose' | 'scroll' | null;
}

/**
 * The whole tree in a strip, with the visible part marked. Dragging the box moves the view; dragging outside it selects
 * another range or, vertically, scrolls.
 */
export function Minimap(props: MinimapProps): JSX.Element {
  const { source, orientation, theme, colourOf, deltaStyle, box, view, onShow, rows, onRows } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<Drag | null>(null);
  const [{ widthPx, heightPx }, setSize] = useState({ widthPx: 0, heightPx: 0 });

  useEffect(() => {
    const element = canvas.current!;
    const resize = new ResizeObserver(() => setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight }));
    resize.observe(element);
    return () => resize.disconnect();
  }, []);

  useEffect(() => {
    if (widthPx <= 0 || heightPx <= 0) return;
    if (source.totalWeight <= 0) {
      // Clears the canvas, since there is nothing to draw.
      canvas.current!.width = 0;
      return;
    }
    let current = true;
    const depthCount = mapRows(source.maxDepth);
    const window = { widthPx, minWidthPx: 1, firstDepth: 0, depthCount, maxFrames: MAX_FRAMES };
    const drawn = { widthPx, heightPx, rowPx: rowHeight(source, heightPx), orientation, theme, colourOf, deltaStyle };
    // Draws after the graph.
    afterPaint(() => {
      if (!current) return;
      source.requestSlice({ root: TREE_ROOT, ...window }).then(
        (data) => {
          if (current) drawMap(canvas.current!, { data, ...drawn });
        },
        // The graph requests the same source and reports its errors.
        () => undefined,
      );
    });
    return () => {
      current = false;
    };
  }, [source, widthPx, heightPx, orientation, theme, colourOf, deltaStyle]);

  const rowPx = rowHeight(source, heightPx);

  function placeAt(event: PointerEvent): MapPlace {
    const area = canvas.current!.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - area.left) / area.width)) || 0;
    const fromRoot = orientation === 'icicle' ? event.clientY - area.top : area.bottom - event.clientY;
    return { weight: share * source.scale, row: fromRoot / rowPx };
  }

  function press(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0 || rowPx <= 0) return;
    const from = placeAt(event);
    const shown = view();
    const inside = from.weight >= shown.first && from.weight <= shown.last && shown.last - shown.first < source.scale;
    drag.current = { from, view: inside ? shown : null, rows: rows(), does: inside ? 'move' : null };
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    if (drag.current === null) return;
    const to = placeAt(event);
    const { from, view: moved, rows: scrolled } = drag.current;
    const does = drag.current.does ?? kindOf(from, to);
    drag.current = { ...drag.current, does };
    if (does === 'scroll' || does === 'move') onRows(scrolled.first + to.row - from.row);
    if (moved !== null) onShow(moved.first + to.weight - from.weight, moved.last + to.weight - from.weight);
    else if (does === 'choose') onShow(Math.min(from.weight, to.weight), Math.max(from.weight, to.weight));
  }

  /** Returns the kind of the drag, by whichever direction moves far enough first. */
  function kindOf(from: MapPlace, to: MapPlace): Drag['does'] {
    const acrossPx = (Math.abs(to.weight - from.weight) / source.scale) * widthPx;
    const alongPx = Math.abs(to.row - from.row) * rowPx;
    if (Math.max(acrossPx, alongPx) < MIN_DRAG_PX) return null;
    return acrossPx >= alongPx ? 'choose' : 'scroll';
  }

  function release(event: PointerEvent): void {
    if (drag.current === null) return;
    const { does, rows: scrolled } = drag.current;
    drag.current = null;
    if (does !== null) return;
    const to = placeAt(event);
    const shown = view();
    const half = (shown.last - shown.first) / 2;
    onShow(to.weight - half, to.weight + half);
    onRows(to.row - scrolled.count / 2);
  }

  return (
    <div
      className="flame-map"
      aria-hidden="true"
      title="The whole graph: drag the box to move the view, drag next to it to select a part or, up and down, to scroll"
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
    >
      <canvas ref={canvas} />
      <div ref={box} className="flame-map-view" />
    </div>
  );
}

function rowHeight({ maxDepth }: FlameSource, heightPx: number): number {
  return Math.min(MAP_ROW_PX, heightPx / mapRows(maxDepth));
}

interface MapDrawing {
  readonly data: FlameSlice;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rowPx: number;
  readonly orientation: Orientation;
  readonly theme: Theme;
  readonly colourOf: (facts: FunctionFacts) => string;
  readonly deltaStyle: DeltaStyle | null;
}

function drawMap(canvas: HTMLCanvasElement, drawing: MapDrawing): void {
  const { data, widthPx, heightPx, rowPx, orientation } = drawing;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(widthPx * scale);
  canvas.height = Math.round(heightPx * scale);
  const paint = canvas.getContext('2d');
  if (paint === null || data.rootScale <= 0) return;
  paint.scale(scale, scale);
  const { slice } = data;
  const drawnPx = Math.max(rowPx, 1 / scale);
  const pxPerWeight = widthPx / data.rootScale;
  for (let row = 0; row < slice.length; row++) {
    paint.fillStyle = mapColour(drawing, row);
    paint.globalAlpha = slice.node[row]! < 0 ? 0.4 : 1;
    const top = slice.depth[row]! * rowPx;
    const width = Math.max(0.5, slice.total[row]! * pxPerWeight - 0.25);
    paint.fillRect(
      slice.start[row]! * pxPerWeight,
      orientation === 'icicle' ? top : heightPx - top - drawnPx,
      width,
      drawnPx,
    );
  }
}

function mapColour({ data, theme, colourOf, deltaStyle }: MapDrawing, row: number): string {
  const delta = deltaStyle === null || data.slice.node[row]! < 0 ? null : frameDelta(data, row);
  if (delta !== null) return deltaStyle!.colour(delta);
  const facts = data.functions.get(data.func[row]!);
  return facts === undefined ? neutralColour(theme) : colourOf(facts);
}
