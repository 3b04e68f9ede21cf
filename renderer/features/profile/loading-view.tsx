import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { bytes } from '../../ui/format.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { useProfileTab, useTabState } from '../../state/profile/context.ts';

/** What takes less is over before it could be read. */
const SHOW_AFTER_MS = 200;

/** How far reading is, and a way out. */
export function LoadingView(): ReactElement {
  const tab = useProfileTab();
  const { tabs } = useWorkbench();
  const { readBytes, totalBytes } = useTabState((state) => state.progress);
  const parsed = useTabState((state) => state.profile !== null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setShown(true);
    }, SHOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const share = parsed ? 1 : totalBytes === null || totalBytes === 0 ? null : Math.min(1, readBytes / totalBytes);
  return (
    <div className={shown ? 'loading-view shown' : 'loading-view'} aria-busy="true">
      <h2 className="ellipsis">
        {parsed ? 'Analysing' : 'Reading'} {tab.source.fileName}
      </h2>
      <progress
        className="progress"
        aria-label={`Reading ${tab.source.fileName}`}
        {...(share === null ? {} : { value: share })}
      />
      <p className="dim mono">
        {bytes(readBytes)}
        {totalBytes !== null && ` of ${bytes(totalBytes)}`}
      </p>
      <button
        type="button"
        className="button"
        onClick={() => {
          tabs.close(tab.id);
        }}
      >
        Cancel
      </button>
    </div>
  );
}
