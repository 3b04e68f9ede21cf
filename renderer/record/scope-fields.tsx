import { useState } from 'react';
import type { ReactElement } from 'react';
import type { Side } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { visibleText } from '../flame/frame-label.ts';
import { Segments } from '../shell/segments.tsx';
import { useWorkbench, useWorkbenchState } from '../shell/workbench-context.ts';
import { alikeProcess } from './alike-process.ts';
import { ProcessPicker } from './process-picker.tsx';
import type { FormResult, RecordForm } from './record-form.ts';
import { useProcesses } from './use-processes.ts';

interface ScopeFieldsProps {
  readonly form: RecordForm;
  /** Of all targets. */
  readonly rows: readonly TargetRow[];
  readonly wrong: FormResult;
  readonly onChange: (change: Partial<RecordForm>) => void;
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
            Quotes work as in a shell, but no shell runs it. It ends with the recording; an empty duration lets it run
            to its end.
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

/** A process that is to be chosen: on a target and, where two take turns, of a side. */
interface Slot {
  readonly target: string;
  readonly side: Side;
}

/** One list for all that are to be chosen: the switch above it says whose process a click chooses. */
function ProcessFields({ form, rows, onChange }: ScopeFieldsProps): ReactElement | null {
  const { engine } = useWorkbench();
  const [at, setAt] = useState(0);
  const sides: readonly Side[] = form.purpose.kind === 'in-turn' ? ['before', 'after'] : ['before'];
  const slots = form.targets.flatMap((target) => sides.map((side): Slot => ({ target, side })));
  const slot = slots[at] ?? slots[0] ?? null;
  const row = rows.find(({ id }) => id === slot?.target) ?? null;
  const reachable = useWorkbenchState((state) => state.reachable);
  const isReachable = row !== null && reachable.has(row.id);
  const list = useProcesses(engine, isReachable ? row.id : null);
  if (slot === null || row === null) return null;
  const field = slot.side === 'after' ? 'afterProcesses' : 'processes';
  /** Hosts that have none, or can't be asked, keep what was chosen for them. */
  const chooseAlike = async (): Promise<void> => {
    const process = form[field].get(slot.target);
    if (process === undefined) return;
    const others = form.targets.filter((id) => id !== slot.target && reachable.has(id));
    const found = await Promise.all(
      others.map(async (target) => {
        const answer = await engine.call('target.processes', { target }).catch(() => null);
        return [target, alikeProcess(answer?.processes ?? [], process)] as const;
      }),
    );
    const alike = found.flatMap(([target, one]) => (one === null ? [] : [[target, one] as const]));
    onChange({ [field]: new Map([...form[field], ...alike]) });
  };
  const text = ({ target, side }: Slot): string => {
    const process = (side === 'after' ? form.afterProcesses : form.processes).get(target);
    const host = form.targets.length > 1 ? (rows.find(({ id }) => id === target)?.name ?? target) : null;
    const whose = [host, sides.length > 1 ? side : null].filter((part) => part !== null).join(' ');
    const chosen = process === undefined ? 'choose below' : `${process.name.slice(0, 40)} (${process.pid})`;
    return visibleText(`${whose}: ${chosen}`);
  };
  return (
    <>
      {slots.length > 1 && (
        <div className="record-sides">
          <Segments
            label="Whose process is chosen"
            value={String(slots.indexOf(slot))}
            options={slots.map((one, index) => ({ value: String(index), label: text(one) }))}
            onChange={(index) => {
              setAt(Number(index));
            }}
          />
          {form.targets.length > 1 && (
            <button
              type="button"
              className="button"
              disabled={!form[field].has(slot.target)}
              onClick={() => void chooseAlike()}
            >
              The like on the others
            </button>
          )}
        </div>
      )}
      {isReachable && (
        <ProcessPicker
          key={`${slot.side} ${slot.target}`}
          list={list}
          chosen={form[field].get(slot.target) ?? null}
          onChoose={(process) => {
            onChange({ [field]: new Map(form[field]).set(slot.target, process) });
          }}
        />
      )}
    </>
  );
}
