import type { ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { useStore } from '../../state/store.ts';

/** What concerns the tab in front as a whole: keeping it, and how its panes are arranged. */
export function ProfileTools({ tab }: { tab: ProfileTab }): ReactElement {
  const ready = useStore(tab.store, (state) => state.phase === 'ready');
  return (
    <div className="tab-tools">
      {ready && <KeepButton tab={tab} />}
      {ready && <LayoutButtons />}
    </div>
  );
}

/** Only for files that are in no library yet. */
function KeepButton({ tab }: { tab: ProfileTab }): ReactElement | null {
  const { transfers } = useWorkbench();
  const captureId = useStore(tab.store, (state) => state.captureId);
  if (tab.source.readFile === null || captureId !== null) return null;
  return (
    <button
      type="button"
      className="button"
      title="Add this file to the library"
      onClick={() => void transfers.keep(tab)}
    >
      <Icon name="keep" />
      Keep
    </button>
  );
}

export function LayoutButtons(): ReactElement {
  const { preferences } = useWorkbench();
  const layout = useStore(preferences, (state) => state.layout);
  const detailsOpen = useStore(preferences, (state) => state.detailsOpen);
  const alone = useStore(preferences, (state) => state.graphAlone);
  const keymap = useKeymap();
  const keys = keymap.textOf('details.toggle');
  const aloneKeys = keymap.textOf('layout.alone');
  const beside = layout === 'beside';
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Graph only"
        aria-pressed={alone}
        title={aloneKeys === null ? 'Graph only' : `Graph only (${aloneKeys} in the graph)`}
        onClick={() => {
          preferences.set({ graphAlone: !alone });
        }}
      >
        <Icon name="fit" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={beside ? 'Table below the graph' : 'Table beside the graph'}
        title={beside ? 'Table below the graph' : 'Table beside the graph'}
        onClick={() => {
          preferences.set({ layout: beside ? 'stacked' : 'beside', split: beside ? 0.62 : 0.55 });
        }}
      >
        <Icon name={beside ? 'rows-layout' : 'columns-layout'} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Details pane"
        aria-pressed={detailsOpen}
        title={keys === null ? 'Details pane' : `Details pane (${keys})`}
        onClick={() => {
          preferences.set({ detailsOpen: !detailsOpen });
        }}
      >
        <Icon name="panel" />
      </button>
    </>
  );
}
