import type { TimeGap } from './use-time-data.ts';
import { useId, useState, type FormEvent, type ReactElement } from 'react';
import type { Note } from '#core/contract/notes.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { parseTime, timeText } from '#core/analyze/time/text.ts';
import type { TimeMark } from '../../state/notes/marks.ts';
import { newNoteId } from '../../state/notes/note-book.ts';
import { usePreference } from '../../state/appearance.ts';
import { useProfileTab, useTabState, useViewState } from '../../state/profile/context.ts';
import { useStore } from '../../state/store.ts';
import { Popover } from '../../ui/menu/popover.tsx';
import { MarkList } from './mark-list.tsx';
import { TimeField } from './range-form.tsx';
import { Button } from '../../ui/buttons.tsx';

interface MarksFormProps {
  readonly whole: TimeRange;
  readonly window: TimeRange;
  readonly gaps: readonly TimeGap[];
  readonly onDone: () => void;
}

const MAX_NAME = 200;

interface MarksPopoverProps extends Omit<MarksFormProps, 'onDone'> {
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
}

export function MarksPopover({ anchor, onClose, ...props }: MarksPopoverProps): ReactElement {
  return (
    <Popover label="Marks" anchor={anchor} onClose={onClose}>
      <MarksForm {...props} onDone={onClose} />
    </Popover>
  );
}

/** The form that names a moment or a range, with the list of marks. */
function MarksForm({ whole, window, gaps, onDone }: MarksFormProps): ReactElement {
  const { notes, live } = useProfileTab();
  const author = usePreference('noteAuthor');
  const problem = useStore(notes.store, (state) => state.problem);
  const isKept = useTabState((state) => state.captureId !== null);
  const chosen = useViewState((state) => state.selection.timeRange);
  const id = useId();
  const [name, setName] = useState('');
  /** A growing profile may lose its start while the form is open. */
  const [zero] = useState(whole.start);
  const moment = live === null ? Math.round((window.start + window.end) / 2) : whole.end;
  const [start, setStart] = useState(timeText((chosen?.start ?? moment) - zero));
  const [end, setEnd] = useState(chosen === null ? '' : timeText(chosen.end - zero));
  const [tried, setTried] = useState(false);
  const read = readMark(name, start, end, { start: zero, end: whole.end });
  const wrong = tried && typeof read === 'string' ? read : null;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    setTried(typeof read === 'string');
    if (typeof read === 'string') return;
    setName('');
    const { name: text, ...range } = read;
    const note: Note = {
      id: newNoteId(),
      anchor: { kind: 'range', ...range },
      text,
      author,
      created: Date.now(),
      edited: null,
      colour: 'none',
    };
    notes.change({ put: [note], remove: [] });
  };
  return (
    <div className="time-form marks">
      <form onSubmit={add}>
        <div className="time-fields">
          <label className="time-field wide">
            <span className="caption">Name</span>
            <span className="field">
              <input
                type="text"
                maxLength={MAX_NAME}
                placeholder={live === null ? 'deploy, GC storm…' : 'deployed, load on…'}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </span>
          </label>
          <TimeField label="At" value={start} onChange={setStart} problemId={wrong === null ? null : `${id}-problem`} />
          <TimeField
            label="Until"
            value={end}
            placeholder="a moment"
            onChange={setEnd}
            problemId={wrong === null ? null : `${id}-problem`}
          />
          <Button type="submit" className="primary">
            Add mark
          </Button>
        </div>
        {wrong !== null && (
          <p id={`${id}-problem`} className="time-problem" role="alert">
            {wrong}
          </p>
        )}
      </form>
      <MarkList whole={whole} gaps={gaps} onDone={onDone} />
      {problem !== null && (
        <p className="time-problem" role="alert">
          {problem.message} {problem.remedy} Marks are kept until you close this tab.
        </p>
      )}
      {!isKept && (
        <p className="faint-hint">
          {live === null
            ? 'Add the file to the library to keep its marks.'
            : 'Marks are saved with the part of the session that contains them.'}
        </p>
      )}
    </div>
  );
}

/** Parses a mark from its text fields; returns a message if they are invalid. */
export function readMark(
  name: string,
  start: string,
  end: string,
  whole: TimeRange,
): Omit<TimeMark, 'id' | 'note'> | string {
  const [from, to] = [parseTime(start), end.trim() === '' ? null : parseTime(end)];
  if (name.trim() === '') return 'Give the mark a name.';
  if (from === null) return 'Invalid start time: write 12.5, 250ms or 1:02.5.';
  if (to === null && end.trim() !== '') return 'Invalid end time; leave it empty for a single moment.';
  if (to !== null && to <= from) return 'The end must be after the start.';
  if (from < 0 || whole.start + from > whole.end) {
    return `Samples range from 0 to ${timeText(whole.end - whole.start)} seconds.`;
  }
  return {
    name: name.trim(),
    start: whole.start + from,
    end: to === null ? null : Math.min(whole.end, whole.start + to),
  };
}
