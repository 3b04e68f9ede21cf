import type { ReactElement, ReactNode } from 'react';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Choice, textFields, type PageProps } from '../dialog-fields.tsx';
import { hasLink } from '../form-fields.ts';
import { ProcessFields } from '../process-fields.tsx';
import type { PythonForm } from './python-form.ts';

export function PythonPage(props: PageProps<PythonForm> & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'pythonRate' | 'seconds'>(props);
  return (
    <>
      <ProcessFields form={form} rows={rows} onChange={onChange} />
      <div className="record-options">
        {text('pythonRate', 'Rate', { numeric: true, unit: 'Hz' })}
        {text('seconds', 'Duration', { numeric: true, unit: 's' })}
        <Segments
          label="Threads"
          value={form.pythonThreads}
          options={[
            { value: 'running', label: 'Running' },
            { value: 'gil', label: 'Holding the GIL' },
            { value: 'all', label: 'All' },
          ]}
          onChange={(pythonThreads) => {
            onChange({ pythonThreads });
          }}
        />
        <Segments
          label="Stacks"
          value={form.pythonStacks}
          options={[
            { value: 'python', label: 'Python' },
            { value: 'native', label: 'And native' },
            { value: 'without-pauses', label: 'Without pauses' },
          ]}
          onChange={(pythonStacks) => {
            onChange({ pythonStacks });
          }}
        />
        {children}
        <div className="wide">
          <Choice
            checked={form.subprocesses}
            label="With subprocesses"
            hint="the Python processes that it started"
            onChange={(subprocesses) => {
              onChange({ subprocesses });
            }}
          />
        </div>
        {hasLink(form) && (
          <div className="wide">
            <Choice
              checked={form.pythonAsRoot}
              label="As root, with sudo"
              hint="needed for other users’ processes; sudo’s prompt appears here"
              onChange={(pythonAsRoot) => {
                onChange({ pythonAsRoot });
              }}
            />
          </div>
        )}
      </div>
    </>
  );
}
