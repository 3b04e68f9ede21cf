import type { ReactElement, ReactNode } from 'react';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { Icon } from '../../ui/icons.tsx';
import { hasLink } from '../../state/record/record-form.ts';
import type { FormField, RecordForm } from '../../state/record/record-form.ts';

interface RecordOptionsProps {
  readonly form: RecordForm;
  readonly wrongField: FormField | null;
  readonly onChange: (change: Partial<RecordForm>) => void;
}

const EVENTS = ['cycles', 'cpu-clock', 'task-clock', 'instructions', 'cache-misses', 'page-faults', 'context-switches'];

const CALL_GRAPHS: readonly { readonly value: PerfOptions['callGraph']; readonly label: string }[] = [
  { value: 'fp', label: 'fp – frame pointers, cheap' },
  { value: 'auto', label: 'auto – fp, dwarf where stacks are cut' },
  { value: 'dwarf', label: 'dwarf – unwind tables, large' },
  { value: 'lbr', label: 'lbr – Intel hardware' },
];

export function RecordOptions({ form, wrongField, onChange }: RecordOptionsProps): ReactElement {
  const text = (
    field: 'rate' | 'stackBytes' | 'event' | 'seconds' | 'repeat' | 'pause' | 'name',
    label: string,
    more: FieldLook = {},
  ) => (
    <Labelled label={label} wide={more.wide === true}>
      <span className={wrongField === field ? 'field invalid' : 'field'}>
        <input
          aria-label={label}
          value={form[field]}
          aria-invalid={wrongField === field}
          spellCheck={false}
          autoComplete="off"
          {...(more.numeric === true ? { inputMode: 'decimal' as const, className: 'mono' } : {})}
          {...(more.placeholder === undefined ? {} : { placeholder: more.placeholder })}
          {...(more.list === undefined ? {} : { list: more.list })}
          onChange={(event) => {
            onChange({ [field]: event.target.value });
          }}
        />
        {more.unit !== undefined && <span className="caption">{more.unit}</span>}
      </span>
    </Labelled>
  );
  return (
    <div className="record-options">
      {text('rate', 'Rate', { numeric: true, unit: 'Hz' })}
      {text('seconds', 'Duration', { numeric: true, unit: 's', placeholder: 'until stopped' })}
      {text('event', 'Event', { placeholder: 'best that works', list: 'perf-events' })}
      <datalist id="perf-events">
        {EVENTS.map((event) => (
          <option key={event} value={event}>
            {event}
          </option>
        ))}
      </datalist>
      <Labelled label="Call graph" wide={false}>
        <span className="select">
          <select
            value={form.callGraph}
            onChange={(event) => {
              onChange({ callGraph: event.target.value as PerfOptions['callGraph'] });
            }}
          >
            {CALL_GRAPHS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </span>
      </Labelled>
      {form.callGraph === 'dwarf' &&
        text('stackBytes', 'Copied stack', { numeric: true, unit: 'bytes', placeholder: '8192' })}
      {text('repeat', 'Repeat', { numeric: true, unit: form.purpose.kind === 'in-turn' ? 'a side' : 'runs' })}
      {text('pause', 'Pause between', { numeric: true, unit: 's' })}
      {text('name', 'Name', { placeholder: 'from process and time', wide: true })}
      {hasLink(form) && (
        <div className="wide">
          <Choice
            checked={form.asRoot}
            label="As root, by sudo"
            hint="for what its user may not record; sudo’s question shows here"
            onChange={(asRoot) => {
              onChange({ asRoot });
            }}
          />
          <Choice
            checked={form.keepPerfData}
            label="Keep perf.data, too"
            hint="it comes over the link beside the samples; else only perf script’s text is kept"
            onChange={(keepPerfData) => {
              onChange({ keepPerfData });
            }}
          />
        </div>
      )}
    </div>
  );
}

interface FieldLook {
  readonly numeric?: boolean;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly list?: string;
  readonly wide?: boolean;
}

function Labelled({ label, wide, children }: { label: string; wide: boolean; children: ReactNode }): ReactElement {
  return (
    <label className={wide ? 'labelled wide' : 'labelled'}>
      {label}
      {children}
    </label>
  );
}

interface ChoiceProps {
  readonly checked: boolean;
  readonly label: string;
  readonly hint: string;
  readonly onChange: (checked: boolean) => void;
}

function Choice({ checked, label, hint, onChange }: ChoiceProps): ReactElement {
  return (
    <label className="record-choice">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => {
          onChange(event.target.checked);
        }}
      />
      {label}
      <span className="dim">{hint}</span>
    </label>
  );
}
