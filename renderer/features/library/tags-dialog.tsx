import { useState } from 'react';
import type { ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';

export function TagsDialog({ capture, onClose }: { capture: CaptureDocument; onClose: () => void }): ReactElement {
  const { library } = useWorkbench();
  const [text, setText] = useState(capture.tags.join(', '));
  return (
    <Dialog title={`Tags of ${capture.name}`} className="small-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void library.tag(capture.id, readTags(text));
          onClose();
        }}
      >
        <div className="dialog-body">
          <label className="labelled">
            Tags, separated by commas
            <span className="field">
              <input
                value={text}
                placeholder="baseline, arm64, nightly"
                onChange={(event) => {
                  setText(event.target.value);
                }}
              />
            </span>
          </label>
        </div>
        <FormActions submit="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** The engine takes at most 50 tags of 100 characters. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, 100));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 50);
}
