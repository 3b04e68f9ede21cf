import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { format } from '../shell/format.ts';
import { useView, useViewState } from './profile-context.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A drag shorter than this is a click, which clears. */
const CLICK_PX = 3;
/** Share of the whole that one arrow key moves. */
const KEY_STEP = 0.02;

/** Weight over time. A drag chooses a range that all views follow; arrows move it, Shift with arrows sizes it, Esc clears. */
export function TimeStrip(): ReactElement | null {
  const view = useView();
  const histogram = useViewState((state) => state.histogram);
  const chosen = useViewState((state) => state.selection.timeRange);
  const strip = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number; fromPx: number } | null>(null);
  if (histogram === null) return null;

  const span = histogram.end - histogram.start;
  const at = (event: PointerEvent): number => {
    const box = strip.current!.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return histogram.start + share * span;
  };
  const commit = (range: Range | null): void => {
    view.select({ timeRange: range });
  };
  const release = (event: PointerEvent): void => {
    if (drag === null) return;
    setDrag(null);
    const isClick = Math.abs(event.clientX - drag.fromPx) < CLICK_PX;
    commit(isClick ? null : { start: Math.min(drag.from, drag.to), end: Math.max(drag.from, drag.to) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? KEY_STEP : event.key === 'ArrowLeft' ? -KEY_STEP : 0;
    if (step !== 0) commit(movedRange(chosen, histogram, step * span, event.shiftKey));
    else if (event.key === 'Escape' && chosen !== null) commit(null);
    else return;
    event.preventDefault();
  };

  const shown = drag === null ? chosen : { start: Math.min(drag.from, drag.to), end: Math.max(drag.from, drag.to) };
  const highest = histogram.weights.reduce((high, weight) => Math.max(high, weight), 0);
  return (
    <div
      ref={strip}
      className="time-strip"
      role="slider"
      tabIndex={0}
      aria-label="Time range. Arrows move, Shift with arrows sizes, Escape clears"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={chosen === null ? 0 : Math.round(((chosen.start - histogram.start) / span) * 100)}
      aria-valuetext={rangeText(chosen, histogram)}
      title={rangeText(chosen, histogram)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: at(event), to: at(event), fromPx: event.clientX });
      }}
      onPointerMove={(event) => {
        if (drag !== null) setDrag({ ...drag, to: at(event) });
      }}
      onPointerUp={release}
      onPointerCancel={() => {
        setDrag(null);
      }}
    >
      <svg viewBox={`0 0 ${histogram.weights.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path d={barsPath(histogram.weights, highest)} />
      </svg>
      {shown !== null && (
        <div
          className="time-brush"
          style={{
            left: `${((shown.start - histogram.start) / span) * 100}%`,
            width: `${((shown.end - shown.start) / span) * 100}%`,
          }}
        />
      )}
    </div>
  );
}

const BAR = 0.82;

function barsPath(weights: Float64Array, highest: number): string {
  let path = '';
  if (highest === 0) return path;
  weights.forEach((weight, bucket) => {
    if (weight > 0) path += `M${bucket} 1V${(1 - weight / highest).toFixed(4)}h${BAR}V1z`;
  });
  return path;
}

/** The range moved, or with `resize` its end moved; a first key press starts with the first tenth. */
export function movedRange(chosen: Range | null, whole: Range, by: number, resize: boolean): Range {
  const span = whole.end - whole.start;
  if (chosen === null) return { start: whole.start, end: whole.start + span / 10 };
  const length = chosen.end - chosen.start;
  if (resize) {
    const end = Math.max(chosen.start + span / 100, Math.min(whole.end, chosen.end + by));
    return { start: chosen.start, end };
  }
  const start = Math.max(whole.start, Math.min(whole.end - length, chosen.start + by));
  return { start, end: start + length };
}

function rangeText(chosen: Range | null, whole: Range): string {
  const seconds = (nanoseconds: number): string => format.value(nanoseconds, 'nanoseconds');
  if (chosen === null) return `all ${seconds(whole.end - whole.start)}; drag to choose a range`;
  return `${seconds(chosen.start - whole.start)} to ${seconds(chosen.end - whole.start)} of ${seconds(whole.end - whole.start)}`;
}
