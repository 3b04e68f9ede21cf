import type { ReactElement } from 'react';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { useStore } from '../../state/store.ts';
import { LoadingView } from './loading-view.tsx';
import { ProfileContext, ViewContext, useProfileTab, useTabState } from '../../state/profile/context.ts';
import { ProfileView } from './profile-view.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { FormatSelect } from './format-select.tsx';

/** The tab panel of one profile: being read, refused, or shown. */
export function ProfilePanel({ tab, theme }: { tab: ProfileTab; theme: Theme }): ReactElement {
  const phase = useStore(tab.store, (state) => state.phase);
  const view = useStore(tab.store, (state) => state.activeView);
  return (
    <ProfileContext value={tab}>
      <div className="profile" role="tabpanel" id={`${tab.id}-panel`} aria-labelledby={`${tab.id}-tab`}>
        {phase === 'loading' && <LoadingView />}
        {phase === 'failed' && <FailedView />}
        {view !== null && phase === 'ready' && (
          <ViewContext value={view}>
            <ProfileView theme={theme} />
          </ViewContext>
        )}
      </div>
    </ProfileContext>
  );
}

/** Why there is no profile here, and what can be tried. */
function FailedView(): ReactElement {
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
