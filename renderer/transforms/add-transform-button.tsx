import type { ReactElement } from 'react';
import { useView } from '../profile/profile-context.ts';
import { Icon } from '../shell/icons.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import { ADD_BUTTON_ID } from './transform-chips.tsx';
import { newDraft } from './transform-draft.ts';

export function AddTransformButton(): ReactElement {
  const view = useView();
  const { showDialog } = useWorkbench();
  return (
    <button
      type="button"
      id={ADD_BUTTON_ID}
      className="button add-transform"
      title="Focus, hide, merge, collapse or rename functions"
      onClick={() => {
        showDialog({ kind: 'transform', draft: newDraft(view) });
      }}
    >
      <Icon name="add" />
      Transform…
    </button>
  );
}
