import { useState } from 'react';
import type { ReactElement } from 'react';
import type { ProcessRow, Side } from '#core/contract/schemas.ts';
import { visibleText } from '../flame/frame-label.ts';
import { Segments } from '../shell/segments.tsx';
import { ProcessPicker } from './process-picker.tsx';
import type { FormResult, RecordForm } from './record-form.ts';
import type { ProcessList } from './use-processes.ts';

interface ScopeFieldsProps {
  readonly form: RecordForm;
  readonly list: ProcessList;
  readonly wrong: FormResult;
  readonly onChange: (change: Partial<RecordForm>) => void;
}

/** What is recorded; of each side, where two take turns. */
export function ScopeFields(props: ScopeFieldsProps): ReactElement {
  const { form, list, onChange } = props;
  const isInTurn = form.purpose.kind === 'in-turn';
  switch (form.scope) {
    case 'pid':
      return isInTurn ? (
        <TwoProcesses {...props} />
      ) : (
        <ProcessPicker
          list={list}
          chosen={form.process}
          onChoose={(process) => {
            onChange({ process });
          }}
        />
      );
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
            Quotes work as in a shell, but no shell runs it. It ends with the recording; an empty duration lets it run
            to its end.
          </span>
        </div>
      );
    case 'system':
      return (
        <p className="panel-hint record-command">
          Every process on every CPU of this machine, the kernel included. Needs root or{' '}
          <code>perf_event_paranoid</code> at 0 or less.
        </p>
      );
  }
}

interface CommandFieldProps extends ScopeFieldsProps {
  readonly field: 'command' | 'afterCommand';
  readonly label: string;
}

function CommandField({ form, wrong, onChange, field, label }: CommandFieldProps): ReactElement {
  return (
    <label className="labelled">
      {label}
      <span className={!wrong.ok && wrong.field === field && form[field] !== '' ? 'field invalid' : 'field'}>
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

/** One list for both sides: the switch above it says whose process a click chooses. */
function TwoProcesses({ form, list, onChange }: ScopeFieldsProps): ReactElement {
  const [side, setSide] = useState<Side>('before');
  return (
    <>
      <div className="record-sides">
        <Segments
          label="Side whose process is chosen"
          value={side}
          options={[
            { value: 'before', label: sideText('before', form.process) },
            { value: 'after', label: sideText('after', form.afterProcess) },
          ]}
          onChange={setSide}
        />
      </div>
      <ProcessPicker
        key={side}
        list={list}
        chosen={side === 'before' ? form.process : form.afterProcess}
        onChoose={(process) => {
          onChange(side === 'before' ? { process } : { afterProcess: process });
        }}
      />
    </>
  );
}

const sideText = (side: Side, process: ProcessRow | null): string =>
  process === null ? `${side}: choose below` : `${side}: ${visibleText(process.name.slice(0, 40))} (${process.pid})`;
