import { useState } from 'react';
import type { ReactElement } from 'react';
import { LEAST_REPLICATES } from '#core/compare/measures.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { copyText } from '../shell/copy-text.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Icon } from '../shell/icons.tsx';
import { ProblemView } from '../shell/problem-view.tsx';
import { Segments } from '../shell/segments.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import { toProblem } from '../state/problem.ts';
import type { Problem } from '../state/problem.ts';
import { CheckList } from './check-list.tsx';
import { EMPTY_FORM, readForm } from './record-form.ts';
import type { FormResult, RecordForm, RecordPurpose } from './record-form.ts';
import { RecordOptions } from './record-options.tsx';
import { PurposeField } from './purpose-field.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { usePlan } from './use-plan.ts';
import type { PlanState } from './use-plan.ts';
import { useProcesses } from './use-processes.ts';

/** Target, process, options, the exact command, preflight, Start. */
export function RecordDialog({ purpose, repeat }: { purpose: RecordPurpose; repeat: number }): ReactElement {
  const { engine, showDialog, recording } = useWorkbench();
  const [form, setForm] = useState<RecordForm>({ ...EMPTY_FORM, purpose, repeat: String(repeat) });
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const list = useProcesses(engine);
  const result = readForm(form);
  const planned = usePlan(engine, result.ok ? result.params : null);
  const confirmation = planned.outdated ? null : (planned.plan?.confirmation ?? null);
  const change = (part: Partial<RecordForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    setProblem(null);
  };
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
          <span className="record-target">
            <span className="caption">target</span> <span className="dot ok" /> local
          </span>
          <Segments
            label="What to record"
            value={form.scope}
            options={[
              { value: 'pid', label: 'Process' },
              { value: 'command', label: 'Command' },
              { value: 'system', label: 'Whole system' },
            ]}
            onChange={(scope) => {
              change({ scope });
            }}
          />
          <PurposeField
            purpose={form.purpose}
            onChange={(next) => {
              const isOnce = next.kind === 'in-turn' && form.repeat === EMPTY_FORM.repeat;
              change({ purpose: next, ...(isOnce ? { repeat: String(LEAST_REPLICATES) } : {}) });
            }}
          />
        </div>
        <ScopeFields form={form} list={list} wrong={result} onChange={change} />
        <RecordOptions form={form} wrongField={result.ok ? null : result.field} onChange={change} />
        <PlanView result={result} planned={planned} />
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

/** The exact commands and what preflight found, or why there is nothing to run yet. */
function PlanView({ result, planned }: { result: FormResult; planned: PlanState }): ReactElement {
  const { plan, problem, outdated } = planned;
  if (!result.ok) return <p className="plan plan-hint">{result.message}</p>;
  if (problem !== null) return <ProblemView problem={problem} />;
  if (plan === null) return <p className="plan plan-hint">Checking what can be recorded…</p>;
  const lines = plan.hosts.flatMap(({ commands }) => commands).map((argv) => quoteArgv(argv));
  return (
    <div className={outdated ? 'plan outdated' : 'plan'} aria-busy={outdated}>
      {lines.length > 0 && (
        <div className="plan-commands">
          <h3>Exactly this will run</h3>
          <button
            type="button"
            className="icon-button"
            aria-label="Copy the commands"
            title="Copy the commands"
            onClick={() => void copyText(lines.join('\n'))}
          >
            <Icon name="copy" />
          </button>
          <pre className="mono">{lines.join('\n')}</pre>
        </div>
      )}
      <CheckList checks={plan.hosts.flatMap(({ checks }) => checks)} />
    </div>
  );
}
