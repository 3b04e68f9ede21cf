import { useRef, type KeyboardEvent, type PointerEvent, type ReactElement, type RefObject } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { timeLabel } from './time-label.ts';
import { rangeBetween, resizedRange, settledRange, shareOf, timeAt } from './time-scale.ts';

interface RangeBrushProps {
  readonly range: TimeRange;
  readonly window: TimeRange;
  /** The zero of displayed times. */
  readonly zero: number;
  readonly whole: TimeRange;
  readonly track: RefObject<HTMLElement | null>;
  readonly onRange: (range: TimeRange) => void;
  /** Called while an edge is dragged; null when the drag ends. */
  readonly onPreview: (range: TimeRange | null) => void;
}

/** Step of an arrow key, as a fraction of the window. */
const KEY_STEP = 0.01;

/** The selected range over the tracks; each edge can be dragged or moved with arrow keys. */
export function RangeBrush(props: RangeBrushProps): ReactElement | null {
  const { range, window } = props;
  const [left, right] = [shareOf(window, range.start), shareOf(window, range.end)];
  if (right < 0 || left > 1) return null;
  const [from, to] = [Math.max(0, left), Math.min(1, right)];
  return (
    <>
      <div className="time-brush" style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
      {left >= 0 && <Edge edge="start" {...props} />}
      {right <= 1 && <Edge edge="end" {...props} />}
    </>
  );
}

interface EdgeProps extends RangeBrushProps {
  readonly edge: 'start' | 'end';
}

function Edge({ edge, range, window, zero, whole, track, onRange, onPreview }: EdgeProps): ReactElement {
  const dragging = useRef(false);
  const at = range[edge];
  const move = (event: PointerEvent): void => {
    const box = track.current?.getBoundingClientRect();
    if (!dragging.current || box === undefined) return;
    const time = timeAt(window, (event.clientX - box.left) / box.width);
    const next = rangeBetween(edge === 'start' ? range.end : range.start, time, whole);
    // An edge cannot be dragged past the other one.
    const kept = edge === 'start' ? time < range.end : time > range.start;
    if (next !== null && kept) onPreview(settledRange(next, whole));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const by = step * KEY_STEP * (window.end - window.start);
    onRange(settledRange(resizedRange(range, window, whole, edge, by), whole));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      data-time-control=""
      className={`time-edge ${edge}`}
      style={{ left: `${shareOf(window, at) * 100}%` }}
      aria-label={edge === 'start' ? 'Start of the time range' : 'End of the time range'}
      aria-valuemin={0}
      aria-valuemax={Math.round((whole.end - whole.start) / 1e6)}
      aria-valuenow={Math.round((at - whole.start) / 1e6)}
      aria-valuetext={timeLabel(at - zero, (window.end - window.start) / 1000)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        dragging.current = true;
      }}
      onPointerMove={move}
      onPointerUp={() => {
        dragging.current = false;
        onPreview(null);
        onRange(range);
      }}
      onPointerCancel={() => {
        dragging.current = false;
        onPreview(null);
      }}
    />
  );
}
