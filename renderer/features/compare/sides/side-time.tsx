import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { Theme } from '../../../ui/flame/graph.types.ts';
import { usePart } from '../../../ui/parts.tsx';
import { BarsCanvas } from '../../../ui/time/bars-canvas.tsx';
import { RangeBrush } from '../../../ui/time/range-brush.tsx';
import { stripText } from '../../../state/time/range-text.ts';
import { rangeForKey } from '../../../ui/time/strip-keys.ts';
import { TimeAxis } from '../../../ui/time/time-axis.tsx';
import { settledRange, shareOf } from '../../../ui/time/time-scale.ts';
import type { TimeStrip } from '#core/analyze/time/strip.ts';
import { useTimePointer } from '../../../ui/time/use-time-pointer.ts';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import '../../time/time.css';
import { takeAnswer } from '../../../ui/take-answer.ts';
import type { Side } from '#core/contract/side.ts';

/** Number of bars that are distinguishable in half a window. */
const BUCKETS = 200;

/** All captures of a side over time, overlaid; a range selected here is measured from the start of each. */
export function SideTime({ side, theme }: { side: Side; theme: Theme }): ReactElement | null {
  const strip = useSideStrip(side);
  if (strip === null) return null;
  return <Strip side={side} strip={strip} theme={theme} />;
}

function Strip({ side, strip, theme }: { side: Side; strip: TimeStrip; theme: Theme }): ReactElement {
  const tab = useCompare();
  const chosen = useCompareState((state) => state[side].timeRange);
  const [preview, setPreview] = useState<TimeRange | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  usePart('time', body);
  const { whole } = strip;
  const choose = (timeRange: TimeRange | null): void => {
    tab.choose(side, { timeRange: timeRange === null ? null : settledRange(timeRange, whole) });
  };
  const pointer = useTimePointer(body, {
    track,
    whole,
    window: whole,
    onWindow: () => undefined,
    onRange: choose,
    onClick: () => {
      if (chosen !== null) choose(null);
    },
  });
  const range = pointer.drag ?? preview ?? chosen;
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = rangeForKey(event, { window: whole, whole, chosen });
    if (next === undefined) return;
    choose(next);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={body} className="time-pane side-time" {...pointer.handlers}>
      <div
        ref={track}
        className="time-track"
        role="slider"
        tabIndex={0}
        aria-label={`Time range ${side}. Arrows move, Shift+arrows resize, Escape clears`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={chosen === null ? 0 : Math.round(shareOf(whole, chosen.start) * 100)}
        aria-valuetext={stripText(chosen, whole, whole.start)}
        onKeyDown={onKeyDown}
      >
        <div className="time-bars">
          <BarsCanvas
            grid={strip}
            weight={strip.weight}
            hidden={strip.hidden}
            highest={strip.weight.reduce((most, one, at) => Math.max(most, one + (strip.hidden?.[at] ?? 0)), 0)}
            window={whole}
            theme={theme}
          />
        </div>
        <TimeAxis window={whole} zero={whole.start} />
      </div>
      <div className="time-overlay">
        {range !== null && (
          <RangeBrush
            range={range}
            window={whole}
            zero={whole.start}
            whole={whole}
            track={track}
            onRange={choose}
            onPreview={setPreview}
          />
        )}
      </div>
    </div>
  );
}

/** Returns the strip of the comparison on screen; the previous one until the new one arrives. */
function useSideStrip(side: Side): TimeStrip | null {
  const tab = useCompare();
  const revision = useCompareState((state) => state.analysis?.revision ?? null);
  const [strip, setStrip] = useState<TimeStrip | null>(null);
  useEffect(() => {
    if (revision === null) return undefined;
    const asked = tab.ask('time-strip', { revision, side, window: null, buckets: BUCKETS });
    return takeAnswer(asked, setStrip, () => setStrip(null));
  }, [tab, revision, side]);
  return strip;
}
