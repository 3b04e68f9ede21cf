import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import type { Side } from '#core/contract/side.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { alikeProcess } from '../targets/alike-process.ts';
import { ProcessPicker } from '../targets/process-picker.tsx';
import type { CommonFields } from './form-fields.ts';
import { useProcesses } from '../targets/use-processes.ts';
import { Button } from '../../ui/buttons.tsx';

/** A process to choose, on a target and for a side if two alternate. */
interface Slot {
  readonly target: string;
  readonly side: Side;
}

interface ProcessFieldsProps {
  readonly form: CommonFields;
  readonly rows: readonly TargetRow[];
  readonly onChange: (change: Partial<CommonFields>) => void;
}

const FIELDS = { before: 'processes', after: 'afterProcesses' } as const;

/** One list for all processes to choose; the switch above it selects for which of them a click applies. */
export function ProcessFields({ form, rows, onChange }: ProcessFieldsProps): ReactElement | null {
  const { engine } = useWorkbench();
  const reachable = useWorkbenchState((state) => state.reachable);
  const [at, setAt] = useState(0);
  const sides: readonly Side[] = form.purpose.kind === 'in-turn' ? ['before', 'after'] : ['before'];
  const slots = form.targets.flatMap((target) => sides.map((side): Slot => ({ target, side })));
  const slot = slots[at] ?? slots[0] ?? null;
  const isReachable = slot !== null && reachable.has(slot.target);
  const list = useProcesses(engine, isReachable ? slot.target : null);
  if (slot === null) return null;
  const field = FIELDS[slot.side];
  const choose = (chosen: ReadonlyMap<string, ProcessRow>): void => {
    onChange({ [field]: new Map([...form[field], ...chosen]) });
  };
  return (
    <>
      {slots.length > 1 && (
        <div className="record-sides">
          <Segments
            label="Host whose process you select"
            value={String(slots.indexOf(slot))}
            options={slots.map((one, index) => ({ value: String(index), label: slotText(one, form, rows) }))}
            onChange={(index) => setAt(Number(index))}
          />
          {form.targets.length > 1 && (
            <AlikeButton
              process={form[field].get(slot.target) ?? null}
              others={form.targets.filter((id) => id !== slot.target && reachable.has(id))}
              onFound={choose}
            />
          )}
        </div>
      )}
      {isReachable && (
        <ProcessPicker
          key={`${slot.side} ${slot.target}`}
          list={list}
          chosen={form[field].get(slot.target) ?? null}
          onChoose={(process) => choose(new Map([[slot.target, process]]))}
        />
      )}
    </>
  );
}

/** Returns `web-1 before: nginx (812)`. */
function slotText({ target, side }: Slot, form: CommonFields, rows: readonly TargetRow[]): string {
  const process = form[FIELDS[side]].get(target);
  const host = form.targets.length > 1 ? (rows.find(({ id }) => id === target)?.name ?? target) : null;
  const whose = [host, form.purpose.kind === 'in-turn' ? side : null].filter((part) => part !== null).join(' ');
  const chosen = process === undefined ? 'select below' : `${process.name.slice(0, 40)} (${process.pid})`;
  return visibleText(`${whose}: ${chosen}`);
}

interface AlikeButtonProps {
  readonly process: ProcessRow | null;
  readonly others: readonly string[];
  readonly onFound: (found: ReadonlyMap<string, ProcessRow>) => void;
}

/**
 * Chooses a similar process on the other hosts. Hosts without one, and those that cannot be queried, keep their choice.
 */
function AlikeButton({ process, others, onFound }: AlikeButtonProps): ReactElement {
  const { engine } = useWorkbench();
  const [asking, setAsking] = useState(false);
  const ask = async (wanted: ProcessRow): Promise<void> => {
    setAsking(true);
    const found = new Map<string, ProcessRow>();
    await Promise.all(
      others.map(async (target) => {
        const answer = await engine.call('target.processes', { target }).catch(() => null);
        const alike = alikeProcess(answer?.processes ?? [], wanted);
        if (alike !== null) found.set(target, alike);
      }),
    );
    setAsking(false);
    onFound(found);
  };
  return (
    <Button
      disabled={process === null || asking}
      onClick={() => {
        if (process !== null) void ask(process);
      }}
    >
      Same name on the others
    </Button>
  );
}
