import { useState, type ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { MAX_TAG_LENGTH, MAX_TAGS } from '#core/contract/limits.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { sharedTags } from '../../state/library-selection.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { countOf } from '../../ui/format.ts';
import { TextField } from '../../ui/fields/labelled-fields.tsx';

interface TagsDialogProps {
  readonly captures: readonly CaptureDocument[];
  readonly onClose: () => void;
}

/** Edits the tags of a capture, or those that several captures share. */
export function TagsDialog({ captures, onClose }: TagsDialogProps): ReactElement {
  const { library } = useWorkbench();
  const [text, setText] = useState(sharedTags(captures).join(', '));
  const many = captures.length > 1;
  const tags = readTags(text);
  const problem = tagProblem(tags);
  const what = many ? countOf(captures.length, 'capture') : captures[0]!.name;
  return (
    <Dialog title={`Tags of ${what}`} className="small-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void library.tagAll(captures, tags);
          onClose();
        }}
      >
        <div className="dialog-body">
          <TextField
            label={many ? 'Tags that all of them have, separated by commas' : 'Tags, separated by commas'}
            value={text}
            placeholder="baseline, arm64, nightly"
            onChange={setText}
          />
          {problem !== null && (
            <p className="field-error" role="alert">
              {problem}
            </p>
          )}
          {many && <p className="faint-hint">Tags that only some of them have are kept.</p>}
        </div>
        <FormActions submit="Save" disabled={problem !== null} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Parses tags separated by commas; the engine accepts at most {@link MAX_TAGS} of {@link MAX_TAG_LENGTH} characters. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Returns what the engine would refuse, in one line; null if it accepts the tags. */
export function tagProblem(tags: readonly string[]): string | null {
  const long = tags.filter((tag) => tag.length > MAX_TAG_LENGTH);
  const parts = [
    ...(tags.length > MAX_TAGS ? [`${tags.length} tags; at most ${MAX_TAGS} are possible`] : []),
    ...(long.length > 0
      ? [`“${shortenMiddle(visibleText(long[0]!), 30)}” is longer than ${MAX_TAG_LENGTH} characters`]
      : []),
  ];
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}
