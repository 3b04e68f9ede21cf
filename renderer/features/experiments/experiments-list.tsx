import { useRef, type ReactElement } from 'react';
import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment-file.ts';
import { DamagedRows } from '../../ui/lists/damaged-rows.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { onDemand } from '../../state/on-demand.tsx';
import './experiments.css';
import { IconButton } from '../../ui/buttons.tsx';

const ExperimentRow = onDemand(() => import('./row.tsx').then((part) => part.ExperimentRow));

/** The experiments of the library, and Import. */
export function ExperimentsList(): ReactElement {
  const { experiments: actions } = useWorkbench();
  const file = useRef<HTMLInputElement>(null);
  const states = useWorkbenchState((state) => state.experiments);
  const damaged = useWorkbenchState((state) => state.damagedExperiments);
  const query = useWorkbenchState((state) => state.libraryQuery).toLowerCase();
  const found = states?.filter(({ experiment }) => {
    const { name, notes, before, after } = experiment;
    return [name, notes, before.label, after.label].some((text) => text.toLowerCase().includes(query));
  });
  return (
    <>
      <div className="sidebar-head">
        <h2>Experiments</h2>
        <IconButton
          icon="keep"
          label="Import an experiment"
          title="Import an experiment from a file"
          onClick={() => file.current?.click()}
        />
        <input
          ref={file}
          type="file"
          hidden
          accept={EXPERIMENT_FILE_ENDING}
          aria-label="Experiment to import"
          onChange={(event) => {
            void actions.importFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </div>
      {states?.length === 0 && (
        <p className="sidebar-hint">Select two captures by their checkboxes, or drop two files.</p>
      )}
      <ul>
        {found?.map((state) => (
          <ExperimentRow key={state.experiment.id} state={state} />
        ))}
      </ul>
      <DamagedRows rows={damaged} onDelete={(row) => void actions.trashBroken(row)} />
    </>
  );
}
