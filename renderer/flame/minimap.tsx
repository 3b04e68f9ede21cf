import { useEffect, useRef, useState, type JSX, type PointerEvent, type RefObject } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { afterPaint } from './after-paint.ts';
import type { DeltaLook, FlameSlice, FlameSource, FunctionFacts, Orientation, Theme } from './flame-graph.types.ts';
import { neutralColour } from './frame-colour.ts';
import { frameDelta } from './frame-detail.ts';

const TREE_ROOT = 0 as CallNodeIndex;
const MAX_ROW_PX = 4;
/** Of the deepest stacks: many to a pixel. */
const MAX_ROWS = 4096;
/** A canvas draws these in a few milliseconds. */
const MAX_FRAMES = 8000;
/** A drag over less than this chooses no range, it moves the view there. */
const MIN_RANGE_PX = 4;

interface MinimapProps {
  readonly source: FlameSource;
  readonly orientation: Orientation;
  readonly theme: Theme;
  readonly colourOf: (facts: FunctionFacts) => string;
  /** Null outside of comparisons. */
  readonly deltaLook: DeltaLook | null;
  /** The box that shows what is in view; whoever moves the view places it, in percent. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** What is in view, as weights of the whole tree. */
  readonly view: () => { first: number; last: number };
  readonly onShow: (first: number, last: number) => void;
}

interface Drag {
  readonly from: number;
  /** The view where it is moved; null where a new range is chosen. */
  readonly view: { first: number; last: number } | null;
}

/** The whole tree in a strip, and where in it the view is. Drag the box to move the view, drag beside it to choose another. */
export function Minimap(props: MinimapProps): JSX.Element {
  const { source, orientation, theme, colourOf, deltaLook, box, view, onShow } = props;
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
      // Nothing to draw: what was there goes.
      canvas.current!.width = 0;
      return;
    }
    let current = true;
    const rows = Math.min(MAX_ROWS, source.maxDepth + 1);
    const window = { widthPx, minWidthPx: 1, firstDepth: 0, depthCount: rows, maxFrames: MAX_FRAMES };
    const drawn = { widthPx, heightPx, rows, orientation, theme, colourOf, deltaLook };
    // The graph comes first.
    afterPaint(() => {
      if (!current) return;
      source.requestSlice({ root: TREE_ROOT, ...window }).then(
        (data) => {
          if (current) drawMap(canvas.current!, { data, ...drawn });
        },
        // The graph asks the same source and says what is wrong with it.
        () => undefined,
      );
    });
    return () => {
      current = false;
    };
  }, [source, widthPx, heightPx, orientation, theme, colourOf, deltaLook]);

  const weightAt = (event: PointerEvent): number => {
    const area = canvas.current!.getBoundingClientRect();
    return (Math.min(1, Math.max(0, (event.clientX - area.left) / area.width)) || 0) * source.scale;
  };

  function press(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    const from = weightAt(event);
    const shown = view();
    const inside = from >= shown.first && from <= shown.last && shown.last - shown.first < source.scale;
    drag.current = { from, view: inside ? shown : null };
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function move(event: PointerEvent): void {
    if (drag.current === null) return;
    const { from, view: moved } = drag.current;
    const to = weightAt(event);
    if (moved !== null) onShow(moved.first + to - from, moved.last + to - from);
    else if ((Math.abs(to - from) / source.scale) * widthPx >= MIN_RANGE_PX) {
      onShow(Math.min(from, to), Math.max(from, to));
    }
  }

  function release(event: PointerEvent): void {
    if (drag.current === null) return;
    const { from, view: moved } = drag.current;
    const to = weightAt(event);
    drag.current = null;
    if (moved !== null || (Math.abs(to - from) / source.scale) * widthPx >= MIN_RANGE_PX) return;
    const shown = view();
    const half = (shown.last - shown.first) / 2;
    onShow(to - half, to + half);
  }

  return (
    <div
      className="flame-map"
      aria-hidden="true"
      title="The whole graph: drag the box to move the view, drag beside it to choose a part"
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
    >
      <canvas ref={canvas} />
      <div ref={box} className="flame-map-view" />
    </div>
  );
}

interface MapDrawing {
  readonly data: FlameSlice;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rows: number;
  readonly orientation: Orientation;
  readonly theme: Theme;
  readonly colourOf: (facts: FunctionFacts) => string;
  readonly deltaLook: DeltaLook | null;
}

function drawMap(canvas: HTMLCanvasElement, drawing: MapDrawing): void {
  const { data, widthPx, heightPx, rows, orientation } = drawing;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(widthPx * scale);
  canvas.height = Math.round(heightPx * scale);
  const paint = canvas.getContext('2d');
  if (paint === null || data.rootScale <= 0) return;
  paint.scale(scale, scale);
  const { slice } = data;
  const rowPx = Math.min(MAX_ROW_PX, heightPx / rows);
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

function mapColour({ data, theme, colourOf, deltaLook }: MapDrawing, row: number): string {
  const delta = deltaLook === null || data.slice.node[row]! < 0 ? null : frameDelta(data, row);
  if (delta !== null) return deltaLook!.colour(delta);
  const facts = data.functions.get(data.func[row]!);
  return facts === undefined ? neutralColour(theme) : colourOf(facts);
}
