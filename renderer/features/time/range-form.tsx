import { useId, useState, type FormEvent, type ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { parseTime, timeRangeText, timeText } from '#core/analyze/time/text.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Popover } from '../../ui/menu/popover.tsx';
import { ALL_TIME } from '../../ui/time/committed-ranges.ts';
import { durationLabel } from '../../ui/time/time-label.ts';
import { rangeBetween } from '../../ui/time/time-scale.ts';
import './form.css';
import { Button, IconButton } from '../../ui/buttons.tsx';

interface RangePopoverProps {
  readonly anchor: HTMLElement;
  /** From the profile's first sample to its last. */
  readonly span: TimeRange;
  readonly onClose: () => void;
}

export function RangePopover({ anchor, span, onClose }: RangePopoverProps): ReactElement {
  return (
    <Popover label="Time range" anchor={anchor} onClose={onClose}>
      <RangeForm span={span} onDone={onClose} />
    </Popover>
  );
}

/** The range as two numbers, and as the command line takes it. */
function RangeForm({ span, onDone }: { span: TimeRange; onDone: () => void }): ReactElement {
  const view = useView();
  const chosen = useViewState((state) => state.selection.timeRange);
  const id = useId();
  const [start, setStart] = useState(timeText((chosen ?? span).start - span.start));
  const [end, setEnd] = useState(timeText((chosen ?? span).end - span.start));
  const read = readRange(start, end, span);
  const problem = typeof read === 'string' ? read : null;
  const apply = (event: FormEvent): void => {
    event.preventDefault();
    if (typeof read === 'string') return;
    view.select({ timeRange: read });
    onDone();
  };
  const written =
    typeof read === 'string' ? null : timeRangeText({ start: read.start - span.start, end: read.end - span.start });
  return (
    <form className="time-form" onSubmit={apply}>
      <div className="time-fields">
        <TimeField
          label="Start"
          value={start}
          onChange={setStart}
          problemId={problem === null ? null : `${id}-problem`}
        />
        <TimeField label="End" value={end} onChange={setEnd} problemId={problem === null ? null : `${id}-problem`} />
      </div>
      {problem === null ? (
        <p className="faint-hint">
          Seconds after the first sample, or <code>250ms</code>, <code>1:02.5</code>. The whole is {durationLabel(span)}
          .
        </p>
      ) : (
        <p id={`${id}-problem`} className="time-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="time-cli">
        <code>{written === null ? '--time …' : `--time ${written}`}</code>
        <IconButton
          icon="copy"
          label="Copy for the command line"
          disabled={written === null}
          onClick={() => void copyText(`--time ${written ?? ''}`)}
        />
      </p>
      <div className="time-actions">
        <Button
          disabled={chosen === null}
          onClick={() => {
            view.commitTime(ALL_TIME);
            onDone();
          }}
        >
          All time
        </Button>
        <Button type="submit" className="primary" disabled={problem !== null}>
          Show this range
        </Button>
      </div>
    </form>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** ID of the element with the error message; null if the field is valid. */
  readonly problemId: string | null;
  readonly onChange: (value: string) => void;
}

export function TimeField({ label, value, placeholder, problemId, onChange }: TimeFieldProps): ReactElement {
  return (
    <label className="time-field">
      <span className="caption">{label}</span>
      <span className={problemId === null ? 'field' : 'field invalid'}>
        <input
          type="text"
          className="mono"
          inputMode="decimal"
          spellCheck={false}
          maxLength={40}
          value={value}
          placeholder={placeholder}
          aria-invalid={problemId !== null}
          {...(problemId === null ? {} : { 'aria-describedby': problemId })}
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </label>
  );
}

/** Parses a range in the profile's own times, clipped to the whole; returns a message if it is invalid. */
export function readRange(start: string, end: string, whole: TimeRange): TimeRange | string {
  const [from, to] = [parseTime(start), parseTime(end)];
  if (from === null) return 'Invalid start time: write 12.5, 250ms or 1:02.5.';
  if (to === null) return 'Invalid end time: write 12.5, 250ms or 1:02.5.';
  if (to <= from) return 'The end must be after the start.';
  const range = rangeBetween(whole.start + from, whole.start + to, whole);
  return range ?? `Samples range from 0 to ${timeText(whole.end - whole.start)} seconds.`;
}
