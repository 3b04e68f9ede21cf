import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { SshCommand } from './ssh-command.tsx';
import { shortTarget } from '../../ui/status/target-words.ts';
import { useConnectPlan } from './use-connect-plan.ts';

/** The first connection to a target: shows what will run; connecting confirms it. */
export function ConnectDialog({ target }: { target: string }): ReactElement {
  const { engine, targets, showDialog } = useWorkbench();
  const { plan, problem } = useConnectPlan(engine, target);
  const close = (): void => showDialog(null);
  return (
    <Dialog title={`Connect to ${visibleText(shortTarget(target))}`} className="target-dialog" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (plan === null) return;
          close();
          void targets.connectConfirmed(target, plan.confirmation);
        }}
      >
        <div className="dialog-body">
          {problem !== null && <ProblemView problem={problem} />}
          {plan === null ? <p className="dim">Preparing the command…</p> : <SshCommand argv={plan.command} />}
        </div>
        <FormActions submit="Connect" disabled={plan === null} onCancel={close} />
      </form>
    </Dialog>
  );
}
