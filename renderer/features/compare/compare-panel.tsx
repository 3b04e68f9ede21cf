import type { ReactElement } from 'react';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { useStore } from '../../state/store.ts';
import { CapturesPanel } from './captures-panel.tsx';
import { CompareContext } from '../../state/compare/context.ts';
import { CompareProgress } from './compare-progress.tsx';
import { CompareSides } from './compare-sides-head.tsx';
import { CompareView } from './compare-view.tsx';
import type { CompareTab } from '../../state/compare/compare.types.ts';
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
