import type { ReactElement } from 'react';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { FormatSelect } from './format-select.tsx';
import { useProfileTab, useTabState } from '../../state/profile/context.ts';

/** Why there is no profile here, and what can be tried. */
export function FailedView(): ReactElement {
  const tab = useProfileTab();
  const { tabs } = useWorkbench();
  const problem = useTabState((state) => state.problem);
  const format = useTabState((state) => state.format);
  return (
    <div className="failed-view">
      <h2 className="ellipsis">{tab.source.fileName} could not be opened</h2>
      {problem !== null && (
        <ProblemView problem={problem}>
          <FormatSelect caption="read as" />
          <button type="button" className="button" onClick={() => void tab.load(format)}>
            Try again
          </button>
          <button
            type="button"
            className="button"
            onClick={() => {
              tabs.close(tab.id);
            }}
          >
            Close
          </button>
        </ProblemView>
      )}
    </div>
  );
}
