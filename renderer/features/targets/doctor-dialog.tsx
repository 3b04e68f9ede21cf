import { useEffect, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Check } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { ProcessPicker } from './process-picker.tsx';
import { useProcesses } from './use-processes.ts';
import { copyText } from '../../ui/copy-text.ts';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FailureHelp } from '../../ui/failure-help.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { CHECK_LOOKS, needsAttention } from '../../ui/status/check-list.tsx';
import { reportSummary, reportText } from '../../state/targets/doctor-report.ts';
import { TargetChoice } from './target-choice.tsx';
import { TargetGate } from './target-gate.tsx';
import './doctor.css';
import { Button } from '../../ui/buttons.tsx';

/** What can be recorded on a target and, for a process, how well: each check as it finishes, with its remedy. */
export function DoctorDialog({ target }: { target: string }): ReactElement | null {
  const { targets, showDialog } = useWorkbench();
  const list = useWorkbenchState((state) => state.targets);
  const row = list?.targets.find(({ id }) => id === target) ?? null;
  const report = useWorkbenchState((state) => state.doctors.get(target) ?? null);
  const [choosing, setChoosing] = useState(false);
  const isUp = row?.state.kind === 'up';
  const isNew = report === null;
  useEffect(() => {
    if (isUp && isNew) void targets.examine(target, null);
  }, [targets, target, isUp, isNew]);
  if (row === null) return null;
  const name = visibleText(row.name);
  const others = list?.targets ?? [];
  const examine = (pid: number | null): void => {
    setChoosing(false);
    void targets.examine(target, pid);
  };
  return (
    <Dialog title={`Doctor: ${name}`} className="doctor-dialog" onClose={() => showDialog(null)}>
      <div className="doctor-body">
        {others.length > 1 && (
          <TargetChoice
            targets={others}
            chosen={target}
            onChoose={(id) => showDialog({ kind: 'doctor', target: id })}
          />
        )}
        <TargetGate row={row} />
        {choosing && isUp && <ProcessChoice row={row} onChoose={examine} />}
        {report !== null && (
          <>
            <p className="doctor-summary" role="status">
              {report.pid === null ? '' : `PID ${report.pid}. `}
              {reportSummary(report)}
            </p>
            <ul className="doctor-checks" aria-label="Checks" aria-busy={report.running}>
              {report.checks.map((check) => (
                <CheckRow key={check.id} check={check} />
              ))}
            </ul>
            {report.problem !== null && <ProblemView problem={report.problem} />}
          </>
        )}
      </div>
      <div className="dialog-actions">
        <Button
          className="doctor-process"
          aria-pressed={choosing}
          disabled={!isUp}
          onClick={() => setChoosing(!choosing)}
        >
          For a process…
        </Button>
        <Button
          disabled={report === null || report.checks.length === 0}
          onClick={() => {
            if (report !== null) void copyText(reportText(row.name, report));
          }}
        >
          <Icon name="copy" />
          Copy the report
        </Button>
        <Button
          className="primary"
          disabled={!isUp || report === null || report.running}
          onClick={() => examine(report?.pid ?? null)}
        >
          {report?.running === true ? 'Checking…' : 'Check again'}
        </Button>
      </div>
    </Dialog>
  );
}

function CheckRow({ check }: { check: Check }): ReactElement {
  const { icon, name } = CHECK_LOOKS[check.status];
  return (
    <li className={`check doctor-check ${check.status}`}>
      <Icon name={icon} />
      <span className="sr-only">{name}:</span>
      <b>{check.id.replaceAll('-', ' ')}</b>
      <span className="check-text">
        <span>{visibleText(check.found)}</span>
        {check.remedy !== null && <span className="doctor-remedy">{visibleText(check.remedy)}</span>}
        {needsAttention(check) && <FailureHelp code={check.id} />}
      </span>
      {check.remedy !== null && <CopyButton label={`Copy the remedy of ${check.id}`} text={check.remedy} />}
    </li>
  );
}

interface ProcessChoiceProps {
  readonly row: TargetRow;
  readonly onChoose: (pid: number | null) => void;
}

function ProcessChoice({ row, onChoose }: ProcessChoiceProps): ReactElement {
  const { engine } = useWorkbench();
  const list = useProcesses(engine, row.id);
  return (
    <>
      <p className="doctor-hint dim">The selected process is recorded briefly to check the quality of its stacks.</p>
      <ProcessPicker list={list} chosen={null} onChoose={({ pid }) => onChoose(pid)} />
    </>
  );
}
