import type { ReactElement, ReactNode } from 'react';
import { Segments } from '../../../ui/fields/segments.tsx';
import { textFields, type PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import type { JavaForm } from './java-form.ts';

export function JavaPage(props: PageProps<JavaForm> & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'seconds'>(props);
  return (
    <>
      <ProcessFields form={form} rows={rows} onChange={onChange} />
      <div className="record-options">
        <Segments
          label="Profile"
          value={form.javaProfile}
          options={[
            { value: 'flight-recorder', label: 'Flight Recorder' },
            { value: 'async-profiler', label: 'async-profiler' },
            { value: 'threads', label: 'Thread dump' },
          ]}
          onChange={(javaProfile) => onChange({ javaProfile })}
        />
        {form.javaProfile !== 'threads' && text('seconds', 'Duration', { numeric: true, unit: 's' })}
        {children}
      </div>
    </>
  );
}
