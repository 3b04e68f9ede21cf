import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { OpenDialog } from '../../state/workbench-state.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { callLoad } from './call-load.ts';
import { Button } from '../../ui/buttons.tsx';

/** Asks whether the load of a tab goes on once the tab is closed. */
export function CloseDialog({
  dialog: { tab, close },
}: {
  readonly dialog: Extract<OpenDialog, { kind: 'close-load' }>;
}): ReactElement {
  const { engine, parts, report, showDialog } = useWorkbench();
  const running = tab.store.get().running;
  const leave = (): void => {
    showDialog(null);
    close();
    parts.rescueFocus();
  };
  const stop = (): void => {
    leave();
    if (running !== null) callLoad(engine, 'stop', { id: running.id }).catch(report);
  };
  return (
    <Dialog title="Close a running load test" onClose={() => showDialog(null)}>
      <p className="dialog-body">
        {visibleText(running?.name ?? '')} is still running. Its complete runs are kept in the library.
      </p>
      <div className="dialog-actions">
        <Button onClick={() => showDialog(null)}>Keep the tab</Button>
        <Button onClick={stop}>Stop and keep</Button>
        <Button className="primary" data-first-focus onClick={leave}>
          Continue in background
        </Button>
      </div>
    </Dialog>
  );
}
