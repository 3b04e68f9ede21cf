import { useRef, type ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { useView } from '../../state/profile/context.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { usePart } from '../../ui/parts.tsx';
import { newDraft, viewSubject } from '../../state/transforms/draft.ts';
import { Button } from '../../ui/buttons.tsx';

export function AddTransformButton(): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  usePart('add-transform', button);
  const view = useView();
  const { showDialog } = useWorkbench();
  const keys = useKeymap().textOf('transform.add');
  return (
    <Button
      ref={button}
      className="add-transform"
      aria-label="Transform…"
      title={['Transform: focus, hide, merge, collapse or rename functions', keys && `(${keys})`]
        .filter(Boolean)
        .join(' ')}
      onClick={() => showDialog({ kind: 'transform', draft: newDraft(viewSubject(view)) })}
    >
      <Icon name="funnel" />
      <span className="add-transform-text">Transform…</span>
    </Button>
  );
}
