import { useMemo, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { gapLength, type TimeGap } from './use-time-data.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { marksOf, renamedMark, type TimeMark } from '../../state/notes/marks.ts';
import { useProfileTab, useTabState, useView } from '../../state/profile/context.ts';
import { count, countOf } from '../../ui/format.ts';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { fileMoments } from './file-moments.ts';
import { markName, markRange } from './mark-lane.tsx';
import { durationLabel, timeLabel } from '../../ui/time/time-label.ts';
import { rangeBetween, windowAround } from '../../ui/time/time-scale.ts';
import { IconButton, LinkButton } from '../../ui/buttons.tsx';

interface MarkListProps {
  readonly whole: TimeRange;
  readonly gaps: readonly TimeGap[];
  readonly onDone: () => void;
}

/** Number of marks listed. */
const MAX_LISTED = 100;

/** The list of marks, followed by the file's events and the ranges without samples, which cannot be edited. */
export function MarkList({ whole, gaps, onDone }: MarkListProps): ReactElement {
  const view = useView();
  const { notes: book } = useProfileTab();
  const notes = useStore(book.store, (state) => state.notes);
  const marks = useMemo(() => marksOf(notes), [notes]);
  const moments = useMemo(() => fileMoments(view.profile), [view]);
  const captureId = useTabState((state) => state.captureId);
  const lostByCapture = useWorkbenchState(
    (state) => state.captures?.find((capture) => capture.id === captureId)?.lostSamples ?? 0,
  );
  const lost = Math.max(
    lostByCapture,
    view.profile.diagnostics.find(({ code }) => code === 'lost-samples')?.count ?? 0,
  );
  const jump = (range: TimeRange): void => view.lookAtTime({ window: windowAround(range, whole) });
  const choose = (range: TimeRange): void => {
    const timeRange = rangeBetween(range.start, range.end, whole);
    // Null if the mark was made in a longer recording.
    if (timeRange !== null) view.select({ timeRange });
    onDone();
  };
  return (
    <>
      {marks.length > 0 && (
        <ul className="mark-list" aria-label="Marks">
          {marks.map((mark) => (
            <MarkRow
              key={mark.id}
              mark={mark}
              zero={whole.start}
              onJump={jump}
              onChoose={choose}
              onRename={(name) => book.change({ put: [renamedMark(mark, name, Date.now())], remove: [] })}
              onDelete={() => book.change({ put: [], remove: [mark.id] })}
            />
          ))}
        </ul>
      )}
      {moments.length > 0 && (
        <>
          <h4 className="mark-heading">In the file</h4>
          <ul className="mark-list" aria-label="Events in the file">
            {moments.slice(0, MAX_LISTED).map(({ time, text, isLoss }, index) => (
              <li key={index}>
                <span className={isLoss ? 'time-moment-sign loss' : 'time-moment-sign'} aria-hidden="true" />
                <span className="mono ellipsis">
                  {timeLabel(time - whole.start, 1e6)} · {visibleText(text)}
                </span>
                <JumpButton
                  name={`the event at ${timeLabel(time - whole.start, 1e6)}`}
                  onClick={() => jump({ start: time, end: time })}
                />
              </li>
            ))}
          </ul>
          {moments.length > MAX_LISTED && <p className="faint-hint">and {count(moments.length - MAX_LISTED)} more</p>}
        </>
      )}
      {lost > 0 && !moments.some(({ isLoss }) => isLoss) && (
        <p className="faint-hint">
          {countOf(lost, 'sample was lost', 'samples were lost')}; the time was not recorded.
        </p>
      )}
      {gaps.length > 0 && (
        <>
          <h4 className="mark-heading">Stretches without samples</h4>
          <ul className="mark-list" aria-label="Stretches without samples">
            {gaps.map((gap) => (
              <li key={`${gap.start} ${gap.end}`}>
                <span className="time-gap-sign" aria-hidden="true" />
                <span className="mono ellipsis">
                  {timeLabel(gap.start - whole.start, 1e6)} · {gapLength(gap)}
                </span>
                <JumpButton
                  name={`the stretch at ${timeLabel(gap.start - whole.start, 1e6)}`}
                  onClick={() => jump(gap)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface MarkRowProps {
  readonly mark: TimeMark;
  readonly zero: number;
  readonly onJump: (range: TimeRange) => void;
  readonly onChoose: (range: TimeRange) => void;
  readonly onRename: (name: string) => void;
  readonly onDelete: () => void;
}

function MarkRow({ mark, zero, onJump, onChoose, onRename, onDelete }: MarkRowProps): ReactElement {
  const [draft, setDraft] = useState<string | null>(null);
  const range = markRange(mark);
  const name = markName(mark);
  const rename = (): void => {
    if (draft !== null && draft.trim() !== '' && draft !== mark.name) onRename(draft.trim());
    setDraft(null);
  };
  return (
    <li>
      <span className={range === null ? 'mark-sign moment' : 'mark-sign'} aria-hidden="true" />
      <span className="field mark-name">
        <input
          type="text"
          aria-label={`Name of the mark ${name}`}
          maxLength={200}
          value={draft ?? mark.name}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={rename}
          onKeyDown={(event) => {
            if (event.key === 'Enter') rename();
          }}
        />
      </span>
      <span className="mono dim">
        {timeLabel(mark.start - zero, 1e6)}
        {range !== null && ` · ${durationLabel(range)}`}
      </span>
      {range !== null && (
        <LinkButton aria-label={`Show the range of ${name}`} onClick={() => onChoose(range)}>
          range
        </LinkButton>
      )}
      <JumpButton name={name} onClick={() => onJump(range ?? { start: mark.start, end: mark.start })} />
      <IconButton icon="close" label={`Delete the mark ${name}`} title="Delete" onClick={onDelete} />
    </li>
  );
}

function JumpButton({ name, onClick }: { name: string; onClick: () => void }): ReactElement {
  return (
    <LinkButton aria-label={`Jump to ${name}`} onClick={onClick}>
      jump
    </LinkButton>
  );
}
