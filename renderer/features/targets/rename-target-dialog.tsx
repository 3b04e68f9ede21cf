import { useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { shortTarget } from '../../ui/status/target-words.ts';
import { TextField } from '../../ui/fields/labelled-fields.tsx';

export function RenameTargetDialog({ row }: { row: TargetRow }): ReactElement {
  const { targets, showDialog, report } = useWorkbench();
  const [name, setName] = useState(row.name);
  const close = (): void => showDialog(null);
  return (
    <Dialog title={`Name of ${visibleText(shortTarget(row.id))}`} className="small-dialog" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          targets.save(row.id, name.trim()).catch(report);
        }}
      >
        <div className="dialog-body">
          <TextField label="Name" value={name} maxLength={100} onChange={setName} />
        </div>
        <FormActions submit="Save" disabled={name.trim() === ''} onCancel={close} />
      </form>
    </Dialog>
  );
}
