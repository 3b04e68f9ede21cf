import type { ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { Icon } from '../../ui/icons.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { otherLayout, toggleDetails, usePaneLayout } from '../../state/window-fit.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { QualityChip } from './quality-chip.tsx';
import { useStore } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/buttons.tsx';

/** Actions for the active tab as a whole: adding it to the library, and the layout of its panes. */
export function ProfileTools({ tab }: { tab: ProfileTab }): ReactElement {
  const ready = useStore(tab.store, (state) => state.phase === 'ready');
  return (
    <div className="tab-tools">
      {ready && <QualityChip tab={tab} />}
      {ready && <KeepButton tab={tab} />}
      {ready && <LayoutButtons />}
    </div>
  );
}

/** Shown only for files that are not in a library. */
function KeepButton({ tab }: { tab: ProfileTab }): ReactElement | null {
  const { transfers } = useWorkbench();
  const captureId = useStore(tab.store, (state) => state.captureId);
  if (tab.source.readFile === null || captureId !== null) return null;
  return (
    <Button title="Add this file to the library" onClick={() => void transfers.keep(tab)}>
      <Icon name="keep" />
      Keep
    </Button>
  );
}

export function LayoutButtons(): ReactElement {
  const { preferences } = useWorkbench();
  const layout = usePaneLayout();
  const detailsOpen = useStore(preferences, (state) => state.detailsOpen);
  const alone = useStore(preferences, (state) => state.graphAlone);
  const aloneKeys = useKeymap().textOf('layout.alone');
  const beside = layout === 'beside';
  const other = otherLayout(layout);
  return (
    <>
      {layout === 'tabs' ? (
        <Segments
          label="Graph or tables"
          value={alone ? 'graph' : 'tables'}
          options={[
            { value: 'graph', label: 'Graph' },
            { value: 'tables', label: 'Tables' },
          ]}
          onChange={(front) => preferences.set({ graphAlone: front === 'graph' })}
        />
      ) : (
        <IconButton
          icon="fit"
          label="Graph only"
          aria-pressed={alone}
          title={aloneKeys === null ? 'Graph only' : `Graph only (${aloneKeys} in the graph)`}
          onClick={() => preferences.set({ graphAlone: !alone })}
        />
      )}
      <IconButton
        icon={beside ? 'rows-layout' : 'columns-layout'}
        label={other.name}
        onClick={() => preferences.set(other.change)}
      />
      <IconButton
        icon="panel"
        label="Details pane"
        aria-pressed={detailsOpen && !alone}
        shortcut="details.toggle"
        onClick={() => toggleDetails(preferences)}
      />
    </>
  );
}
