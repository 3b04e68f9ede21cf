import { useState, type ReactElement } from 'react';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { ExperimentDialog } from './dialog.tsx';
import { Button } from '../../ui/buttons.tsx';

/** Saves a comparison as an experiment, or edits the name, labels and notes of a saved one. */
export function ExperimentTools({ tab }: { tab: CompareTab }): ReactElement | null {
  const { experiments } = useWorkbench();
  const [isSaving, setSaving] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const id = useStore(tab.store, (state) => state.experimentId);
  const experiment = useWorkbenchState(
    (state) => state.experiments?.find((one) => one.experiment.id === id)?.experiment ?? null,
  );
  if (id === null) {
    return (
      <Button
        disabled={isSaving}
        title="Keeps these captures, settings and notes in the library"
        onClick={() => {
          setSaving(true);
          void experiments.save(tab).finally(() => setSaving(false));
        }}
      >
        <Icon name="keep" /> {isSaving ? 'Saving…' : 'Save as experiment'}
      </Button>
    );
  }
  if (experiment === null) return null;
  return (
    <>
      <Button
        title={experiment.notes === '' ? 'Name, labels and notes. Changes are saved automatically.' : experiment.notes}
        onClick={() => setEditing(true)}
      >
        {experiment.notes === '' ? 'Notes…' : 'Notes'}
      </Button>
      {isEditing && <ExperimentDialog experiment={experiment} onClose={() => setEditing(false)} />}
    </>
  );
}
