import type { ReactElement } from 'react';
import type { TargetRow } from '#core/contract/target.ts';
import { ProcessFields } from '../process-fields.tsx';
import type { PerfForm } from './perf-form.ts';

interface ScopeFieldsProps {
  readonly form: PerfForm;
  /** Of all targets. */
  readonly rows: readonly TargetRow[];
  readonly wrongField: string | null;
  readonly onChange: (change: Partial<PerfForm>) => void;
}

/** What is recorded; of each side, where two take turns. */
export function ScopeFields(props: ScopeFieldsProps): ReactElement {
  const { form } = props;
  const isInTurn = form.purpose.kind === 'in-turn';
  switch (form.scope) {
    case 'pid':
      return <ProcessFields {...props} />;
    case 'command':
      return (
        <div className="record-commands">
          <CommandField
            {...props}
            field="command"
            label={isInTurn ? 'Command before' : 'Command to launch and record'}
          />
          {isInTurn && <CommandField {...props} field="afterCommand" label="Command after" />}
          <span className="dim">
            Quotes work as in a shell, but no shell runs it. It is ended with the recording; leave the duration empty to
            let it finish.
          </span>
        </div>
      );
    case 'system':
      return (
        <p className="panel-hint record-command">
          Every process on every CPU of the target, the kernel included. Needs root or <code>perf_event_paranoid</code>{' '}
          at 0 or less.
        </p>
      );
  }
}

interface CommandFieldProps extends ScopeFieldsProps {
  readonly field: 'command' | 'afterCommand';
  readonly label: string;
}

function CommandField({ form, wrongField, onChange, field, label }: CommandFieldProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <span className={wrongField === field && form[field] !== '' ? 'field invalid' : 'field'}>
        <input
          className="mono"
          value={form[field]}
          placeholder="./server --port 8080"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            onChange({ [field]: event.target.value });
          }}
        />
      </span>
    </label>
  );
}
