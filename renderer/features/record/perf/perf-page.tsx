import type { ReactElement, ReactNode } from 'react';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Choice, textFields, type PageProps } from '../dialog-fields.tsx';
import { hasLink } from '../form-fields.ts';
import { canShowGraph, type PerfForm } from './perf-form.ts';
import { RuntimeHint } from '../runtime-hint.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { SelectField } from '../../../ui/fields/labelled-fields.tsx';

type PerfPageProps = PageProps<PerfForm>;

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
        { value: 'cgroup', label: 'Container or service' },
        { value: 'system', label: 'Whole system' },
      ]}
      onChange={(scope) => onChange({ scope })}
    />
  );
}

export function PerfPage(props: PerfPageProps & { readonly children: ReactNode }): ReactElement {
  const { form, rows, wrongField, onChange, children } = props;
  const text = textFields<'rate' | 'stackBytes' | 'event' | 'seconds'>(props);
  return (
    <>
      <ScopeFields form={form} rows={rows} wrongField={wrongField} onChange={onChange} />
      {form.scope === 'pid' && <RuntimeHint form={form} onChange={onChange} />}
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
        <SelectField
          label="Call graph"
          value={form.callGraph}
          options={CALL_GRAPHS}
          onChange={(callGraph) => onChange({ callGraph })}
        />
        {form.callGraph === 'dwarf' &&
          text('stackBytes', 'Copied stack', { numeric: true, unit: 'bytes', placeholder: '8192' })}
        {children}
        {canShowGraph(form) && (
          <Choice
            checked={form.showsGraph}
            label="Show the graph while it records"
            hint="perf script runs next to perf, which costs CPU time on this machine"
            onChange={(showsGraph) => onChange({ showsGraph })}
          />
        )}
        {hasLink(form) && (
          <div className="wide">
            <Choice
              checked={form.asRoot}
              label="As root, with sudo"
              hint="for processes its user may not record; sudo’s prompt appears here"
              onChange={(asRoot) => onChange({ asRoot })}
            />
            <Choice
              checked={form.keepPerfData}
              label="Keep perf.data too"
              hint="it is sent along with the samples; otherwise only perf script’s text is kept"
              onChange={(keepPerfData) => onChange({ keepPerfData })}
            />
          </div>
        )}
      </div>
    </>
  );
}
