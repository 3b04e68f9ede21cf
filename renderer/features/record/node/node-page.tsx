import type { ReactElement, ReactNode } from 'react';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Choice, textFields, type PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import type { NodeForm } from './node-form.ts';

export function NodePage(props: PageProps<NodeForm> & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'seconds'>(props);
  return (
    <>
      <ProcessFields form={form} rows={rows} onChange={onChange} />
      <div className="record-options">
        <Segments
          label="Profile"
          value={form.nodeProfile}
          options={[
            { value: 'cpu', label: 'CPU' },
            { value: 'heap', label: 'Heap in use' },
            { value: 'async', label: 'Requests created' },
          ]}
          onChange={(nodeProfile) => onChange({ nodeProfile })}
        />
        {text('seconds', 'Duration', { numeric: true, unit: 's' })}
        {children}
        {form.nodeProfile === 'cpu' && (
          <div className="wide">
            <Choice
              checked={form.nodeWithHeap}
              label="With heap in use"
              hint="also memory in use, as a value type of the capture"
              onChange={(nodeWithHeap) => onChange({ nodeWithHeap })}
            />
            <Choice
              checked={form.nodeWithPerf}
              label="With perf"
              hint="also native code at the same time, as a value type of the capture"
              onChange={(nodeWithPerf) => onChange({ nodeWithPerf })}
            />
          </div>
        )}
        {form.nodeProfile !== 'async' && (
          <Choice
            checked={form.nodeSourceMaps}
            label="With source maps"
            hint="the process reads its scripts’ source maps; functions get their original names and places"
            onChange={(nodeSourceMaps) => onChange({ nodeSourceMaps })}
          />
        )}
      </div>
    </>
  );
}
