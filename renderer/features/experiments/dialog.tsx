import { useState, type ReactElement } from 'react';
import type { Experiment } from '#core/contract/experiment.ts';
import { SIDES } from '#core/contract/side.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import './experiments.css';
import { Labelled, TextField } from '../../ui/fields/labelled-fields.tsx';

/** Edits an experiment's name, the labels of its sides, and its notes. */
export function ExperimentDialog({
  experiment,
  onClose,
}: {
  experiment: Experiment;
  onClose: () => void;
}): ReactElement {
  const { experiments } = useWorkbench();
  const { id, before, after } = experiment;
  const [name, setName] = useState(experiment.name);
  const [labels, setLabels] = useState({ before: before.label, after: after.label });
  const [notes, setNotes] = useState(experiment.notes);
  const save = (): void => {
    const called = name.trim();
    // Fields that were not edited may have been changed elsewhere in the meantime.
    void experiments.change(id, {
      ...(called === '' || called === experiment.name ? {} : { name: called }),
      ...(notes === experiment.notes ? {} : { notes }),
      ...(labels.before === before.label ? {} : { before: { label: labels.before.trim() } }),
      ...(labels.after === after.label ? {} : { after: { label: labels.after.trim() } }),
    });
    onClose();
  };
  return (
    <Dialog title="Experiment" className="small-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="dialog-body experiment-form">
          <TextField label="Name" value={name} maxLength={300} spellCheck onChange={setName} />
          <div className="pair">
            {SIDES.map((side) => (
              <TextField
                key={side}
                label={`Label of ${side}`}
                placeholder={side === 'before' ? 'v1.4, cache off' : 'v1.5, cache on'}
                value={labels[side]}
                maxLength={100}
                spellCheck
                onChange={(text) => setLabels({ ...labels, [side]: text })}
              />
            ))}
          </div>
          <Labelled label="Notes">
            <textarea
              value={notes}
              maxLength={1_000_000}
              placeholder="What you changed, how you generated the load, what you expect"
              onChange={(event) => setNotes(event.target.value)}
            />
          </Labelled>
        </div>
        <FormActions submit="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
