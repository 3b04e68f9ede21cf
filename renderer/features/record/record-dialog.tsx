import { useState } from 'react';
import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import type { CollectorId } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { TargetGate } from '../targets/target-gate.tsx';
import type { OpenDialog, RecordPurpose } from '../../state/workbench-state.ts';
import { collectorPages, EMPTY_FORM } from './collector-pages.ts';
import type { RecordForm } from './collector-pages.ts';
import { TextField, type TextFieldProps } from './dialog-fields.tsx';
import { PlanView } from './plan-view.tsx';
import { readForm } from './record-form.ts';
import { PurposeField } from './purpose-field.tsx';
import { TargetField } from './target-field.tsx';
import { usePlan } from './use-plan.ts';

interface RecordDialogProps {
  readonly purpose: RecordPurpose;
  readonly repeat: number;
  /** Ids of those that are chosen at first. */
  readonly targets: readonly string[];
  /** Other fields as they are at first. */
  readonly initial: Extract<OpenDialog, { kind: 'record' }>['initial'] | null;
}

/** Targets, process, options, the exact commands, preflight, Start. */
export function RecordDialog({ purpose, repeat, targets, initial }: RecordDialogProps): ReactElement {
  const { engine, showDialog, recording } = useWorkbench();
  const rows = useWorkbenchState((state) => state.targets?.targets) ?? NO_TARGETS;
  const [form, setForm] = useState<RecordForm>({
    ...EMPTY_FORM,
    purpose,
    targets,
    repeat: String(repeat),
    ...(initial && initialFields(initial, targets)),
  });
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const result = readForm(form);
  const reachable = useWorkbenchState((state) => state.reachable);
  const chosen = form.targets.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  const away = chosen.filter(({ id }) => !reachable.has(id));
  const missing = away.length > 0 ? awayText(away) : result.ok ? null : result.message;
  const planned = usePlan(engine, result.ok && missing === null ? result.params : null);
  const confirmation = planned.outdated ? null : (planned.plan?.confirmation ?? null);
  const change = (part: Partial<RecordForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    setProblem(null);
  };
  const wrongField = result.ok ? null : result.field;
  const page = { form, rows, wrongField, onChange: change };
  const { Scope, Page } = collectorPages[form.collector];
  const text = (field: 'repeat' | 'pause' | 'name', label: string, look: Partial<TextFieldProps>): ReactElement => (
    <TextField
      label={label}
      value={form[field]}
      wrong={wrongField === field}
      onChange={(value) => {
        change({ [field]: value });
      }}
      {...look}
    />
  );
  const close = (): void => {
    showDialog(null);
  };
  const start = async (): Promise<void> => {
    if (confirmation === null) return;
    setStarting(true);
    try {
      await recording.start(confirmation);
    } catch (error) {
      setProblem(toProblem(error));
      setStarting(false);
    }
  };

  return (
    <Dialog title="Record" className="record-dialog" onClose={close}>
      <div className="record-form">
        <div className="record-scope">
          <TargetField
            rows={rows}
            chosen={form.targets}
            onChange={(chosen) => {
              change({ targets: chosen });
            }}
          />
          <CollectorField
            value={form.collector}
            onChange={(collector) => {
              change({ collector });
            }}
          />
          {Scope !== null && <Scope {...page} />}
          <PurposeField
            purpose={form.purpose}
            onChange={(next) => {
              const isOnce = next.kind === 'in-turn' && form.repeat === EMPTY_FORM.repeat;
              change({ purpose: next, ...(isOnce ? { repeat: String(LEAST_REPLICATES) } : {}) });
            }}
          />
        </div>
        {form.targets.length > 1 && form.purpose.kind === 'library' && (
          <p className="record-hosts dim">
            Their captures become the before side of a new experiment, which compares hosts in pairs.
          </p>
        )}
        {chosen.map((row) => (
          <TargetGate key={row.id} row={row} />
        ))}
        <Page {...page}>
          {text('repeat', 'Repeat', { numeric: true, unit: form.purpose.kind === 'in-turn' ? 'a side' : 'runs' })}
          {text('pause', 'Pause between', { numeric: true, unit: 's' })}
          {text('name', 'Name', { placeholder: 'from process and time', wide: true })}
        </Page>
        <PlanView
          missing={missing}
          planned={planned}
          nameOf={(target) => rows.find(({ id }) => id === target)?.name ?? target}
        />
        {problem !== null && <ProblemView problem={problem} />}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button large" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className="button large primary"
          disabled={confirmation === null || starting}
          onClick={() => void start()}
        >
          {starting ? 'Starting…' : 'Start recording'}
        </button>
      </div>
    </Dialog>
  );
}

function CollectorField({
  value,
  onChange,
}: {
  value: CollectorId;
  onChange: (collector: CollectorId) => void;
}): ReactElement {
  return (
    <label className="record-target">
      <span className="caption">with</span>
      <span className="select">
        <select
          aria-label="Collector"
          value={value}
          onChange={(event) => {
            onChange(event.target.value as CollectorId);
          }}
        >
          {Object.entries(collectorPages).map(([id, { label }]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </label>
  );
}

const NO_TARGETS: readonly TargetRow[] = [];

function awayText(away: readonly TargetRow[]): string {
  return `Not connected yet: ${away.map(({ name }) => visibleText(name)).join(', ')}.`;
}

function initialFields(
  { options, process }: NonNullable<RecordDialogProps['initial']>,
  [target]: readonly string[],
): Partial<RecordForm> {
  return {
    collector: options.collector,
    ...collectorPages[options.collector].fieldsOf(options),
    ...(process === null || target === undefined ? {} : { processes: new Map([[target, process]]) }),
  };
}
