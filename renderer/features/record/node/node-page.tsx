import type { ReactElement, ReactNode } from 'react';
import { Segments } from '../../../ui/fields/segments.tsx';
import { textFields, type PageProps } from '../dialog-fields.tsx';
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
          onChange={(nodeProfile) => {
            onChange({ nodeProfile });
          }}
        />
        {text('seconds', 'Duration', { numeric: true, unit: 's' })}
        {children}
      </div>
    </>
  );
}
