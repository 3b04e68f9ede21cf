import type { ReactElement, ReactNode } from 'react';
import { textFields, type PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import type { CommonFields } from '../form-fields.ts';

export function JavaPage(props: PageProps<CommonFields> & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'seconds'>(props);
  return (
    <>
      <ProcessFields form={form} rows={rows} onChange={onChange} />
      <div className="record-options">
        {text('seconds', 'Duration', { numeric: true, unit: 's' })}
        {children}
      </div>
    </>
  );
}
