import type { ReactElement, ReactNode } from 'react';
import { isNode } from '#core/contract/node.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { textFields, type PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import type { CommonFields } from '../form-fields.ts';
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

interface NodeHintProps {
  readonly form: CommonFields;
  readonly onChange: (change: Partial<CommonFields>) => void;
}

/** Proposes this collector if a selected process is Node. */
export function NodeHint({ form: { processes, targets, purpose }, onChange }: NodeHintProps): ReactElement | null {
  const isChosen = targets.some((target) => isNode(processes.get(target) ?? { executable: null }));
  if (!isChosen || purpose.kind === 'live') return null;
  return (
    <p className="panel-hint">
      This process is Node: perf samples its native code, Node its JavaScript functions.{' '}
      <button type="button" className="button" onClick={() => onChange({ collector: 'node' })}>
        Record with Node
      </button>
    </p>
  );
}
