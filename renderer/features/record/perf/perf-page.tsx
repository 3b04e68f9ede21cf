import type { ReactElement, ReactNode } from 'react';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { Icon } from '../../../ui/icons.tsx';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Choice, Labelled, TextField, type TextFieldProps } from '../dialog-fields.tsx';
import { hasLink } from '../form-fields.ts';
import type { PerfForm } from './perf-form.ts';
import { ScopeFields } from './scope-fields.tsx';

interface PerfPageProps {
  readonly form: PerfForm;
  /** Of all targets. */
  readonly rows: readonly TargetRow[];
  readonly wrongField: string | null;
  readonly onChange: (change: Partial<PerfForm>) => void;
}

const EVENTS = ['cycles', 'cpu-clock', 'task-clock', 'instructions', 'cache-misses', 'page-faults', 'context-switches'];

const CALL_GRAPHS: readonly { readonly value: PerfOptions['callGraph']; readonly label: string }[] = [
  { value: 'fp', label: 'fp – frame pointers, cheap' },
  { value: 'auto', label: 'auto – fp, or dwarf if stacks are truncated' },
  { value: 'dwarf', label: 'dwarf – unwind tables, large' },
  { value: 'lbr', label: 'lbr – Intel hardware' },
];

export function PerfScope({ form, onChange }: PerfPageProps): ReactElement {
  return (
    <Segments
      label="What to record"
      value={form.scope}
      options={[
        { value: 'pid', label: 'Process' },
        { value: 'command', label: 'Command' },
        { value: 'system', label: 'Whole system' },
      ]}
      onChange={(scope) => {
        onChange({ scope });
      }}
    />
  );
}

export function PerfPage({
  form,
  rows,
  wrongField,
  onChange,
  children,
}: PerfPageProps & { readonly children: ReactNode }): ReactElement {
  const text = (
    field: 'rate' | 'stackBytes' | 'event' | 'seconds',
    label: string,
    look: Partial<TextFieldProps>,
  ): ReactElement => (
    <TextField
      label={label}
      value={form[field]}
      wrong={wrongField === field}
      onChange={(value) => {
        onChange({ [field]: value });
      }}
      {...look}
    />
  );
  return (
    <>
      <ScopeFields form={form} rows={rows} wrongField={wrongField} onChange={onChange} />
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
        {children}
        {hasLink(form) && (
          <div className="wide">
            <Choice
              checked={form.asRoot}
              label="As root, with sudo"
              hint="for processes its user may not record; sudo’s prompt appears here"
              onChange={(asRoot) => {
                onChange({ asRoot });
              }}
            />
            <Choice
              checked={form.keepPerfData}
              label="Keep perf.data too"
              hint="it is sent along with the samples; otherwise only perf script’s text is kept"
              onChange={(keepPerfData) => {
                onChange({ keepPerfData });
              }}
            />
          </div>
        )}
      </div>
    </>
  );
}
