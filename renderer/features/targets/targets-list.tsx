import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { TargetItem } from './target-row.tsx';
import './targets.css';
import { IconButton } from '../../ui/buttons.tsx';

/** The targets on which captures can be made, and Add. */
export function TargetsList(): ReactElement {
  const { showDialog } = useWorkbench();
  const list = useWorkbenchState((state) => state.targets);
  return (
    <>
      <div className="sidebar-head targets-head">
        <h2>Targets</h2>
        {list?.unavailable === null && (
          <IconButton
            icon="plus"
            label="Add a target"
            title="Add a target over SSH"
            onClick={() => showDialog({ kind: 'add-target' })}
          />
        )}
      </div>
      <ul aria-label="Targets">
        {list?.targets.map((row) => (
          <TargetItem key={row.id} row={row} />
        ))}
      </ul>
      {list !== null && list.unavailable !== null && <p className="sidebar-hint">{visibleText(list.unavailable)}</p>}
    </>
  );
}
