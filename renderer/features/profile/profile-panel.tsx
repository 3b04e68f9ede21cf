import { useEffect, useState, type ReactElement } from 'react';
import type { ReadingTool } from '#core/model/failure.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useStore } from '../../state/store.ts';
import { ProfileContext, ViewContext, useProfileTab, useTabState } from '../../state/profile/context.ts';
import { useTabTitle } from '../../state/tab-title.ts';
import { ProfileNotes } from '../notes/scopes.tsx';
import { ProfileViewPanel } from './profile-view.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { FormatSelect } from './format-select.tsx';
import { bytes } from '../../ui/format.ts';
import { Button } from '../../ui/buttons.tsx';

/** The tab panel of a profile: loading, failed or shown. */
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
            <ProfileNotes>
              <ProfileViewPanel theme={theme} />
            </ProfileNotes>
          </ViewContext>
        )}
      </div>
    </ProfileContext>
  );
}

const READ_BY_GO: ReadingTool = 'go-execution-trace';

/** Explains why the profile could not be opened, and what to try. */
function FailedView(): ReactElement {
  const tab = useProfileTab();
  const { tabs, showDialog } = useWorkbench();
  const title = useTabTitle(tab);
  const problem = useTabState((state) => state.problem);
  const format = useTabState((state) => state.format);
  return (
    <div className="failed-view">
      <h2 className="ellipsis">{title} could not be opened</h2>
      {problem !== null && (
        <ProblemView problem={problem}>
          {problem.code === READ_BY_GO && (
            <Button
              className="primary"
              onClick={() => showDialog({ kind: 'read-by-go', source: { kind: 'tab', tab } })}
            >
              Read with Go…
            </Button>
          )}
          <FormatSelect caption="read as" />
          <Button onClick={() => void tab.load(format)}>Try again</Button>
          <Button onClick={() => tabs.close(tab.id)}>Close</Button>
        </ProblemView>
      )}
    </div>
  );
}

/** Delay in ms before progress is shown; a shorter reading ends before it could be noticed. */
const SHOW_AFTER_MS = 200;

/** The progress of reading, with Cancel. */
function LoadingView(): ReactElement {
  const tab = useProfileTab();
  const { tabs } = useWorkbench();
  const title = useTabTitle(tab);
  const { readBytes, totalBytes } = useTabState((state) => state.progress);
  const parsed = useTabState((state) => state.profile !== null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const share = parsed ? 1 : totalBytes === null || totalBytes === 0 ? null : Math.min(1, readBytes / totalBytes);
  return (
    <div className={shown ? 'loading-view shown' : 'loading-view'} aria-busy="true">
      <h2 className="ellipsis">
        {parsed ? 'Analysing' : 'Reading'} {title}
      </h2>
      <progress className="progress" aria-label={`Reading ${title}`} {...(share === null ? {} : { value: share })} />
      <p className="dim mono">
        {bytes(readBytes)}
        {totalBytes !== null && ` of ${bytes(totalBytes)}`}
      </p>
      <Button onClick={() => tabs.close(tab.id)}>Cancel</Button>
    </div>
  );
}
