import { useMemo, type ReactElement } from 'react';
import type { Theme } from '../../../ui/flame/graph.types.ts';
import { useAnswer } from '../../../ui/table/use-answer.ts';
import { useStore } from '../../../state/store.ts';
import { CapturesPanel } from '../sides/captures-panel.tsx';
import { CompareContext, useCompare, useCompareState } from '../../../state/compare/context.ts';
import { CompareNotes } from '../../notes/scopes.tsx';
import { CompareProgress } from '../progress.tsx';
import { CompareSides } from '../sides/head.tsx';
import type { CompareTab } from '../../../state/compare/compare.types.ts';
import { GraphAndTable } from '../../panes/graph-and-table.tsx';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { CompareGraphs } from '../graphs/graphs.tsx';
import { CompareAnswer } from '../answer.tsx';
import { Guide } from '../guide.tsx';
import { CompareSidePanel } from './side-panel.tsx';
import { CompareTable } from '../table/delta-pane.tsx';
import { CompareTransforms } from '../transforms.tsx';
import { CompareToolbar } from '../toolbar.tsx';
import '../view.css';

/** The tab panel of a comparison: its sides, progress and result. */
export function ComparePanel({ tab, theme }: { tab: CompareTab; theme: Theme }): ReactElement {
  const compared = useStore(tab.store, (state) => state.analysis);
  const idle = useStore(tab.store, ({ reading, comparing }) => reading === null && comparing === null);
  return (
    <CompareContext value={tab}>
      <div className="profile compare" role="tabpanel" id={`${tab.id}-panel`} aria-labelledby={`${tab.id}-tab`}>
        {compared === null ? (
          <>
            <Guide top={null} />
            <CompareSides theme={theme} />
            <CompareProgress />
            {idle && (
              <div className="compare-captures">
                <CapturesPanel />
              </div>
            )}
          </>
        ) : (
          <CompareNotes compared={compared}>
            <CompareView compared={compared} theme={theme} />
          </CompareNotes>
        )}
      </div>
    </CompareContext>
  );
}

/** Number of movers that the head and the panel take from; the table has the rest. */
const MOST_MOVERS = 20;

/** The result: the answer, graphs, and below them the table and details. */
function CompareView({ compared, theme }: { compared: Compared; theme: Theme }): ReactElement {
  const tab = useCompare();
  const { revision } = compared;
  const node = useCompareState((state) => state.zoomNode);
  const top = useAnswer(useMemo(() => () => tab.ask('movers', { revision, most: MOST_MOVERS }), [tab, revision]));
  return (
    <>
      <Guide top={top} />
      <CompareAnswer compared={compared} top={top} />
      <CompareToolbar compared={compared} />
      <CompareTransforms compared={compared} />
      <CompareProgress />
      <GraphAndTable
        zoom={{ of: tab, node }}
        graph={<CompareGraphs compared={compared} theme={theme} />}
        table={
          <>
            <CompareTable compared={compared} />
            <CompareSidePanel compared={compared} top={top} />
          </>
        }
      />
    </>
  );
}
