import type { ReactElement } from 'react';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { useStore } from '../../state/store.ts';
import { CapturesPanel } from './captures-panel.tsx';
import { CompareContext } from '../../state/compare/context.ts';
import { CompareProgress } from './compare-progress.tsx';
import { CompareSides } from './compare-sides-head.tsx';
import type { CompareTab } from '../../state/compare/compare.types.ts';
import { GraphAndTable } from '../panes/graph-and-table.tsx';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { CompareGraphs } from './compare-graphs.tsx';
import { CompareSays } from './compare-says.tsx';
import { CompareSidePanel } from './compare-side-panel.tsx';
import { CompareTable } from './compare-table.tsx';
import { CompareTransforms } from './compare-transforms.tsx';
import { CompareToolbar } from './compare-toolbar.tsx';
import './compare-view.css';

/** The tab panel of a comparison: its sides, how far reading and comparing are, and what was found. */
export function ComparePanel({ tab, theme }: { tab: CompareTab; theme: Theme }): ReactElement {
  const compared = useStore(tab.store, (state) => state.analysis);
  const idle = useStore(tab.store, ({ reading, comparing }) => reading === null && comparing === null);
  return (
    <CompareContext value={tab}>
      <div className="profile compare" role="tabpanel" id={`${tab.id}-panel`} aria-labelledby={`${tab.id}-tab`}>
        {compared === null ? (
          <>
            <CompareSides theme={theme} />
            <CompareProgress />
            {idle && (
              <div className="compare-captures">
                <CapturesPanel />
              </div>
            )}
          </>
        ) : (
          <CompareView compared={compared} theme={theme} />
        )}
      </div>
    </CompareContext>
  );
}

/** What was found: the sides, what it says as a whole, graphs, and below them the table and what is asked about. */
function CompareView({ compared, theme }: { compared: Compared; theme: Theme }): ReactElement {
  return (
    <>
      <CompareToolbar compared={compared} />
      <CompareSides theme={theme} />
      <CompareTransforms compared={compared} />
      <CompareSays compared={compared} />
      <CompareProgress />
      <GraphAndTable
        graph={<CompareGraphs compared={compared} theme={theme} />}
        table={
          <>
            <CompareTable compared={compared} />
            <CompareSidePanel compared={compared} />
          </>
        }
      />
    </>
  );
}
