import { useState, type ReactElement } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { sharedTags } from '../../state/library-selection.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { countOf } from '../../ui/format.ts';

interface TagsDialogProps {
  readonly captures: readonly CaptureDocument[];
  readonly onClose: () => void;
}

/** Edits the tags of a capture, or those that several captures share. */
export function TagsDialog({ captures, onClose }: TagsDialogProps): ReactElement {
  const { library } = useWorkbench();
  const [text, setText] = useState(sharedTags(captures).join(', '));
  const many = captures.length > 1;
  const what = many ? countOf(captures.length, 'capture') : captures[0]!.name;
  return (
    <Dialog title={`Tags of ${what}`} className="small-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void library.tagAll(captures, readTags(text));
          onClose();
        }}
      >
        <div className="dialog-body">
          <label className="labelled">
            {many ? 'Tags that all of them have, separated by commas' : 'Tags, separated by commas'}
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
          {many && <p className="faint-hint">Tags that only some of them have are kept.</p>}
        </div>
        <FormActions submit="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Parses tags separated by commas; the engine accepts at most 50 tags of 100 characters. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, 100));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 50);
}
