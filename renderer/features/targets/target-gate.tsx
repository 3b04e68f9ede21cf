import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { TerminalFrame } from '../terminal/terminal-frame.tsx';
import { SshCommand } from './ssh-command.tsx';
import { StateIcon, StateText } from '../../ui/status/target-state.tsx';
import { useConnectPlan } from './use-connect-plan.ts';
import { Button } from '../../ui/buttons.tsx';

/**
 * Shown in a dialog for a target that is not connected: its prompt, its failure, or how to connect. Nothing if it is
 * connected.
 */
export function TargetGate({ row }: { row: TargetRow }): ReactElement | null {
  const { targets } = useWorkbench();
  switch (row.state.kind) {
    case 'up':
      return null;
    case 'needs-you':
      return (
        <div className="embedded-terminal">
          <TerminalFrame row={row} />
        </div>
      );
    case 'connecting':
      return (
        <div className="target-gate">
          <StateIcon state={row.state} spoken={false} />
          <span role="status">Connecting to {visibleText(row.name)}…</span>
          <Button onClick={() => void targets.disconnect(row.id)}>Stop connecting</Button>
        </div>
      );
    case 'idle':
    case 'lost':
    case 'failed':
      return <NotConnected row={row} />;
  }
}

function NotConnected({ row }: { row: TargetRow }): ReactElement {
  const { engine, targets } = useWorkbench();
  const { plan, problem } = useConnectPlan(engine, row.id);
  return (
    <div className="target-gate-block">
      <div className="target-gate">
        <StateIcon state={row.state} spoken={false} />
        <span>
          <b>{visibleText(row.name)}</b>: <StateText state={row.state} />
        </span>
        <Button
          className="primary"
          disabled={plan === null}
          onClick={() => {
            if (plan !== null) void targets.connectConfirmed(row.id, plan.confirmation);
          }}
        >
          {row.state.kind === 'idle' ? 'Connect' : 'Connect again'}
        </Button>
      </div>
      {problem !== null && <ProblemView problem={problem} />}
      {plan !== null && plan.confirmation !== null && <SshCommand argv={plan.command} />}
    </div>
  );
}
