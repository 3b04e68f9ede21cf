import type { ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time-grid.ts';
import type { TimeMark } from '#core/contract/schemas.ts';
import { visibleText } from '../flame/frame-label.ts';
import { useProfileTab } from '../profile/profile-context.ts';
import { useStore } from '../state/store.ts';
import { durationLabel, timeLabel } from './time-label.ts';
import { shareOf, windowAround } from './time-scale.ts';
import { useView } from '../profile/profile-context.ts';

interface MarkLaneProps {
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly gaps: readonly TimeRange[];
  readonly onRange: (range: TimeRange) => void;
}

/** Stretches that have a length, also where a hand-written file says otherwise. */
export const markRange = ({ start, end }: TimeMark): TimeRange | null =>
  end !== null && end > start ? { start, end } : null;

/** A mark's name on one line. */
export const markName = ({ name }: TimeMark): string => visibleText(name.slice(0, 200));

/** Above the bars: what the user named, and stretches without samples. The list of marks has the same for the keyboard. */
export function MarkLane({ whole, window, gaps, onRange }: MarkLaneProps): ReactElement {
  const view = useView();
  const marks = useStore(useProfileTab().marks.store, (state) => state.marks);
  const seen = marks.filter((mark) => isSeen({ start: mark.start, end: mark.end ?? mark.start }, window));
  return (
    <div className="time-lane">
      {gaps
        .filter((gap) => isSeen(gap, window))
        .map((gap) => (
          <span
            key={gap.start}
            className="time-gap"
            style={place(gap, window)}
            title={`No sample of any thread for ${durationLabel(gap)}`}
          />
        ))}
      {seen.map((mark) => {
        const range = markRange(mark);
        return (
          <button
            key={mark.id}
            type="button"
            tabIndex={-1}
            data-time-control=""
            className={range === null ? 'time-mark moment' : 'time-mark'}
            style={range === null ? { left: `${shareOf(window, mark.start) * 100}%` } : place(range, window)}
            title={`${markName(mark)} · ${timeLabel(mark.start - whole.start, 1e6)}${range === null ? '' : ` · ${durationLabel(range)}`}`}
            onClick={() => {
              if (range === null)
                view.lookAtTime({ window: windowAround({ start: mark.start, end: mark.start }, whole) });
              else onRange(range);
            }}
          >
            <span className="ellipsis">{markName(mark)}</span>
          </button>
        );
      })}
    </div>
  );
}

const isSeen = ({ start, end }: TimeRange, window: TimeRange): boolean => end >= window.start && start <= window.end;

function place({ start, end }: TimeRange, window: TimeRange): { left: string; width: string } {
  const from = Math.max(0, shareOf(window, start));
  const to = Math.min(1, shareOf(window, end));
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` };
}
