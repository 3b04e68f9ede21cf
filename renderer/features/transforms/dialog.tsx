import { useEffect, useState, type ReactElement } from 'react';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { useStore } from '../../state/store.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { createPreviewer } from './previewer.ts';
import { TargetFields } from './target-fields.tsx';
import type { TransformDraft } from '../../state/transforms/draft.ts';
import { transformFormOf, transformOf, withKind, type TransformForm } from '../../state/transforms/form.ts';
import { kindRow, TRANSFORM_KINDS, type TransformKind } from '../../state/transforms/kinds.ts';
import { added, replaced } from '../../state/transforms/list.ts';
import './dialog.css';

/** Edits a transform, and shows what it matches and hides before it is applied. */
export function TransformDialog({ draft, onClose }: { draft: TransformDraft; onClose: () => void }): ReactElement {
  const [{ edited, previewer, save, seen }] = useState(() => startEdit(draft));
  const [form, setForm] = useState(() => transformFormOf(edited ?? draft.form));
  const state = useStore(previewer.store, (shown) => shown.state);
  const { transform, missing } = transformOf(form, edited?.enabled);
  const change = (next: TransformForm): void => {
    setForm(next);
    previewer.ask(transformOf(next, edited?.enabled).transform);
  };
  useEffect(() => {
    previewer.ask(transformOf(transformFormOf(edited ?? draft.form)).transform);
  }, [previewer, edited, draft]);
  const submit = async (): Promise<void> => {
    if (transform === null || (await previewer.settled()).status !== 'shown') return;
    save(transform);
    onClose();
  };
  return (
    <Dialog title={edited === null ? 'Add transform' : 'Edit transform'} className="transform-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="transform-form">
          <KindList kind={form.kind} onChange={(kind) => change(withKind(form, kind))} />
          <div className="transform-fields">
            <p className="dim">{kindRow(form.kind).does}</p>
            <TargetFields
              seen={seen}
              form={form}
              invalid={state.status === 'refused'}
              change={(part) => change({ ...form, ...part })}
            />
            <PreviewPanel state={state} missing={missing} transform={transform} unit={seen.unit} />
          </div>
        </div>
        <FormActions
          submit={edited === null ? 'Add' : 'Save'}
          disabled={transform === null || state.status === 'refused'}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

/** Starts editing the list as of when the dialog opened; nothing else changes it while the dialog is open. */
function startEdit({ subject, index }: TransformDraft) {
  const { target, seen, preview } = subject;
  const transforms = target.transforms();
  const edited = index === null ? null : (transforms[index] ?? null);
  const before = edited === null ? transforms : transforms.slice(0, index!);
  return {
    edited,
    seen: seen(),
    previewer: createPreviewer((transform) => preview(before, transform)),
    save: (transform: NamedTransform) => {
      target.setTransforms(edited === null ? added(transforms, transform) : replaced(transforms, index!, transform));
    },
  };
}

function KindList({ kind, onChange }: { kind: TransformKind; onChange: (kind: TransformKind) => void }): ReactElement {
  return (
    <fieldset className="kind-list">
      <legend className="sr-only">Effect</legend>
      {TRANSFORM_KINDS.map((row) => (
        <label key={row.kind}>
          <input
            type="radio"
            className="sr-only"
            name="transform-kind"
            checked={row.kind === kind}
            onChange={() => onChange(row.kind)}
          />
          <span>{row.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
