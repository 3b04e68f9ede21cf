import type { ReactElement } from 'react';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { useStore } from '../../state/store.ts';
import { FailedView } from './failed-view.tsx';
import { LoadingView } from './loading-view.tsx';
import { ProfileContext, ViewContext } from '../../state/profile/context.ts';
import { ProfileView } from './profile-view.tsx';

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
