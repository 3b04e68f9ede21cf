import { useMemo, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { marksOf, type TimeMark } from '../../state/notes/marks.ts';
import { useProfileTab, useView } from '../../state/profile/context.ts';
import { count } from '../../ui/format.ts';
import { useStore } from '../../state/store.ts';
import { gapLength, type TimeGap } from './use-time-data.ts';
import { fileMoments, groupMoments } from './file-moments.ts';
import { durationLabel, timeLabel } from '../../ui/time/time-label.ts';
import { shareOf, windowAround } from '../../ui/time/time-scale.ts';

interface MarkLaneProps {
  readonly zero: number;
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly gaps: readonly TimeGap[];
  readonly onRange: (range: TimeRange) => void;
}

/** Minimum distance between markers of the file's events, as a fraction of the window; closer ones would overlap. */
const LEAST_DISTANCE = 0.005;

/** Returns the range of a mark; null unless it has a length, which a hand-written file may get wrong. */
export const markRange = ({ start, end }: TimeMark): TimeRange | null =>
  end !== null && end > start ? { start, end } : null;

/** Returns a mark's name on one line. */
export const markName = ({ name }: TimeMark): string => visibleText(name.slice(0, 200));

/**
 * The lane above the bars: the user's marks, the file's events, and ranges without samples. The list of marks offers
 * the same by keyboard.
 */
export function MarkLane({ zero, whole, window, gaps, onRange }: MarkLaneProps): ReactElement {
  const view = useView();
  const notes = useStore(useProfileTab().notes.store, (state) => state.notes);
  const marks = useMemo(() => marksOf(notes), [notes]);
  const known = useMemo(() => fileMoments(view.profile), [view]);
  const moments = useMemo(() => {
    const inWindow = known.filter(({ time }) => isSeen({ start: time, end: time }, window));
    return groupMoments(inWindow, (window.end - window.start) * LEAST_DISTANCE);
  }, [known, window]);
  const seen = marks.filter((mark) => isSeen({ start: mark.start, end: mark.end ?? mark.start }, window));
  return (
    <div className="time-lane">
      {gaps
        .filter((gap) => isSeen(gap, window))
        .map((gap) => (
          <span
            key={`${gap.start} ${gap.end}`}
            className="time-gap"
            style={place(gap, window)}
            title={`No sample of any thread for ${gapLength(gap)}`}
          />
        ))}
      {moments.map(({ time, first, more, isLoss }) => (
        <span
          key={time}
          className={isLoss ? 'time-moment loss' : 'time-moment'}
          style={{ left: `${shareOf(window, time) * 100}%` }}
          title={`${timeLabel(time - zero, 1e6)}: ${visibleText(first.text)}${more === 0 ? '' : ` and ${count(more)} more`}`}
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
            data-number={notes.indexOf(mark.note) + 1}
            className={range === null ? 'time-mark moment' : 'time-mark'}
            style={range === null ? { left: `${shareOf(window, mark.start) * 100}%` } : place(range, window)}
            title={`${markName(mark)} · ${timeLabel(mark.start - zero, 1e6)}${range === null ? '' : ` · ${durationLabel(range)}`}`}
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
