import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import type { CollectorId } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { SIDES } from '#core/contract/side.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { TargetGate } from '../targets/target-gate.tsx';
import type { OpenDialog, RecordPurpose } from '../../state/workbench-state.ts';
import { collectorPages, EMPTY_FORM, type RecordForm } from './collector-pages.ts';
import { ContainerField } from './container-field.tsx';
import { textFields } from './dialog-fields.tsx';
import { RAW_CHOICES } from './form-fields.ts';
import { PlanView } from './plan-view.tsx';
import { readForm } from './record-form.ts';
import { TargetField } from './target-field.tsx';
import { usePlan } from './use-plan.ts';
import { Button } from '../../ui/buttons.tsx';
import { SelectField } from '../../ui/fields/labelled-fields.tsx';

interface RecordDialogProps {
  readonly purpose: RecordPurpose;
  readonly repeat: number;
  /** IDs of the targets selected initially. */
  readonly targets: readonly string[];
  /** Initial values of other fields. */
  readonly initial: Extract<OpenDialog, { kind: 'record' }>['initial'] | null;
}

/** The record dialog: targets, process, options, the exact commands, preflight, Start. */
export function RecordDialog({ purpose, repeat, targets, initial }: RecordDialogProps): ReactElement {
  const { engine, showDialog, recording, tabs } = useWorkbench();
  const rows = useWorkbenchState((state) => state.targets?.targets) ?? NO_TARGETS;
  const [form, setForm] = useState<RecordForm>({
    ...EMPTY_FORM,
    purpose,
    targets,
    repeat: String(repeat),
    ...(initial && initialFields(initial, targets)),
    ...(purpose.kind === 'live' ? { seconds: UNTIL_STOPPED } : {}),
  });
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isLive = form.purpose.kind === 'live';
  const result = readForm(form);
  const reachable = useWorkbenchState((state) => state.reachable);
  const chosen = form.targets.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  const away = chosen.filter(({ id }) => !reachable.has(id));
  const missing = away.length > 0 ? awayText(away) : result.ok ? null : result.message;
  const planned = usePlan(
    engine,
    result.ok && missing === null ? result.params : null,
    isLive && result.ok ? result.limits : null,
  );
  const confirmation = planned.outdated ? null : (planned.plan?.confirmation ?? null);
  const change = (part: Partial<RecordForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    setProblem(null);
  };
  const wrongField = result.ok ? null : result.field;
  const page = { form, rows, wrongField, onChange: change };
  const { Scope, Page } = collectorPages[form.collector];
  const text = textFields<'repeat' | 'pause' | 'wave' | 'maxOverhead' | 'name' | 'maxCpu'>(page);
  const close = (): void => showDialog(null);
  const start = async (): Promise<void> => {
    if (confirmation === null) return;
    setStarting(true);
    try {
      if (isLive) {
        const { liveId, title } = await engine.call('live.start', { confirmation });
        close();
        await tabs.openLive(liveId, title);
      } else {
        const options = result.ok ? result.params.options : null;
        await recording.start(confirmation, options?.collector === 'perf' && options.watched === true);
      }
    } catch (error) {
      setProblem(toProblem(error));
      setStarting(false);
    }
  };

  return (
    <Dialog title={isLive ? 'Watch live' : 'Record'} className="record-dialog" onClose={close}>
      <div className="record-form">
        <div className="record-scope">
          <TargetField rows={rows} chosen={form.targets} onChange={(chosen) => change({ targets: chosen })}>
            {(closeTargets) => (
              <ContainerField
                form={form}
                onFound={(found) => {
                  change(found);
                  closeTargets();
                }}
              />
            )}
          </TargetField>
          <CollectorField value={form.collector} onChange={(collector) => change({ collector })} />
          {Scope !== null && <Scope {...page} />}
          <PurposeField
            purpose={form.purpose}
            onChange={(next) => {
              const isOnce = next.kind === 'in-turn' && form.repeat === EMPTY_FORM.repeat;
              change({
                purpose: next,
                ...(isOnce ? { repeat: String(LEAST_REPLICATES) } : {}),
                ...(next.kind === 'live' ? { seconds: UNTIL_STOPPED } : {}),
                ...(isLive && next.kind !== 'live' && form.seconds === UNTIL_STOPPED
                  ? { seconds: EMPTY_FORM.seconds }
                  : {}),
              });
            }}
          />
        </div>
        {form.targets.length > 1 && form.purpose.kind === 'library' && (
          <p className="record-hosts dim">
            The captures become “before” of a new experiment, in which each host is compared with itself.
          </p>
        )}
        {chosen.map((row) => (
          <TargetGate key={row.id} row={row} />
        ))}
        <Page {...page}>
          {isLive && form.collector !== 'pprof' && text('maxCpu', 'Collector limit', { numeric: true, unit: '% CPU' })}
          {isLive && (
            <SelectField
              label="Raw output"
              value={form.raw}
              options={RAW_CHOICES}
              onChange={(raw) => change({ raw })}
            />
          )}
          {!isLive && (
            <>
              {text('repeat', 'Repeat', { numeric: true, unit: form.purpose.kind === 'in-turn' ? 'a side' : 'runs' })}
              {text('pause', 'Pause between', { numeric: true, unit: 's' })}
              {form.targets.length > 1 && (
                <>
                  {text('wave', 'Hosts at a time', { numeric: true, placeholder: 'all' })}
                  {text('maxOverhead', 'Overhead limit', { numeric: true, unit: '% CPU', placeholder: 'any' })}
                </>
              )}
              {text('name', 'Name', { placeholder: 'from process and time', wide: true })}
            </>
          )}
        </Page>
        <PlanView
          missing={missing}
          planned={planned}
          nameOf={(target) => rows.find(({ id }) => id === target)?.name ?? target}
        />
        {problem !== null && <ProblemView problem={problem} />}
      </div>
      <div className="dialog-actions">
        <Button className="large" onClick={close}>
          Cancel
        </Button>
        <Button className="large primary" disabled={confirmation === null || starting} onClick={() => void start()}>
          {starting ? 'Starting…' : isLive ? 'Watch live' : 'Start recording'}
        </Button>
      </div>
    </Dialog>
  );
}

const COLLECTORS = (Object.keys(collectorPages) as CollectorId[]).map((value) => ({
  value,
  label: collectorPages[value].label,
}));

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
      <Select name="Collector" value={value} options={COLLECTORS} onChange={onChange} />
    </label>
  );
}

/** The duration of a live view, unless the user gives one. */
const UNTIL_STOPPED = '';

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

/** Number of experiments listed, newest first. */
const MAX_EXPERIMENTS = 20;

/** The purpose of the recording: the library alone, two alternating sides, or a side of an experiment. */
function PurposeField({
  purpose,
  onChange,
}: {
  purpose: RecordPurpose;
  onChange: (purpose: RecordPurpose) => void;
}): ReactElement {
  const states = useWorkbenchState((state) => state.experiments) ?? [];
  const isShown = (id: string): boolean => 'experimentId' in purpose && purpose.experimentId === id;
  const shown = states.filter(({ experiment }, index) => index < MAX_EXPERIMENTS || isShown(experiment.id));
  const choices: readonly { readonly label: string; readonly purpose: RecordPurpose }[] = [
    { label: 'the library', purpose: { kind: 'library' } },
    { label: 'a live view', purpose: { kind: 'live' } },
    { label: 'before and after, alternating', purpose: { kind: 'in-turn', experimentId: null } },
    ...shown.flatMap(({ experiment: { id, name } }) => [
      ...SIDES.map((side) => ({
        label: `${side} of ${name}`,
        purpose: { kind: 'side' as const, experimentId: id, side },
      })),
      { label: `both of ${name}, in turn`, purpose: { kind: 'in-turn' as const, experimentId: id } },
    ]),
  ];
  const keyOf = (one: RecordPurpose): string => JSON.stringify(one);
  return (
    <label className="record-purpose">
      <span className="caption">for</span>
      <Select
        name="Purpose of the recording"
        value={keyOf(purpose)}
        options={choices.map((choice) => ({ value: keyOf(choice.purpose), label: choice.label }))}
        onChange={(key) => {
          const found = choices.find((choice) => keyOf(choice.purpose) === key);
          if (found !== undefined) onChange(found.purpose);
        }}
      />
    </label>
  );
}
