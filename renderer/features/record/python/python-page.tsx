import type { ReactElement, ReactNode } from 'react';
import { Choice, textFields, type PageProps } from '../dialog-fields.tsx';
import { hasLink } from '../form-fields.ts';
import { ProcessFields } from '../process-fields.tsx';
import type { PythonForm } from './python-form.ts';
import { SelectField } from '../../../ui/fields/labelled-fields.tsx';

export function PythonPage(props: PageProps<PythonForm> & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'pythonRate' | 'seconds'>(props);
  return (
    <>
      <ProcessFields form={form} rows={rows} onChange={onChange} />
      <div className="record-options">
        {text('pythonRate', 'Rate', { numeric: true, unit: 'Hz' })}
        {text('seconds', 'Duration', { numeric: true, unit: 's' })}
        <SelectField
          label="Threads"
          value={form.pythonThreads}
          options={[
            { value: 'running', label: 'running' },
            { value: 'gil', label: 'holding the GIL' },
            { value: 'all', label: 'all' },
          ]}
          onChange={(pythonThreads) => onChange({ pythonThreads })}
        />
        <SelectField
          label="Stacks"
          value={form.pythonStacks}
          options={[
            { value: 'python', label: 'Python only' },
            { value: 'native', label: 'with native code' },
            { value: 'without-pauses', label: 'Python only, without pauses' },
          ]}
          onChange={(pythonStacks) => onChange({ pythonStacks })}
        />
        {children}
        <Choice
          checked={form.subprocesses}
          label="With subprocesses"
          hint="also the Python processes that it started"
          onChange={(subprocesses) => onChange({ subprocesses })}
        />
        <Choice
          checked={form.sendPySpy}
          label="Send py-spy if it is missing"
          hint="for this recording only; downloaded from PyPI unless cached here, and verified"
          onChange={(sendPySpy) => onChange({ sendPySpy })}
        />
        {hasLink(form) && (
          <Choice
            checked={form.pythonAsRoot}
            label="As root, with sudo"
            hint="needed for other users’ processes; sudo’s prompt appears here"
            onChange={(pythonAsRoot) => onChange({ pythonAsRoot })}
          />
        )}
      </div>
    </>
  );
}
