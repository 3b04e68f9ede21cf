import { startTransition, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import type { ProfileTab } from '../../state/profile-tab.ts';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { useStore } from '../../state/store.ts';
import { FailedView } from './failed-view.tsx';
import { LoadingView } from './loading-view.tsx';
import { ProfileContext, ViewContext } from '../../state/profile-context.ts';
import { ProfileView } from './profile-view.tsx';

/**
 * The tab panel of one profile: being read, refused, or shown. While its first analysis is made, the view is laid out unseen below the
 * progress: then it is on screen as soon as there is something to draw.
 */
export function ProfilePanel({ tab, theme }: { tab: ProfileTab; theme: Theme }): ReactElement {
  const phase = useStore(tab.store, (state) => state.phase);
  const view = useStore(tab.store, (state) => state.activeView);
  const preparing = phase === 'loading' && view !== null;
  const [prepared, setPrepared] = useState(false);
  useEffect(() => {
    // Not at once: the analysis is to be asked for first.
    startTransition(() => setPrepared(preparing));
  }, [preparing]);
  return (
    <ProfileContext value={tab}>
      <div
        className={preparing ? 'profile preparing' : 'profile'}
        role="tabpanel"
        id={`${tab.id}-panel`}
        aria-labelledby={`${tab.id}-tab`}
      >
        {phase === 'loading' && <LoadingView />}
        {phase === 'failed' && <FailedView />}
        {view !== null && (phase === 'ready' || (preparing && prepared)) && (
          <ViewContext value={view}>
            <ProfileView theme={theme} />
          </ViewContext>
        )}
      </div>
    </ProfileContext>
  );
}
