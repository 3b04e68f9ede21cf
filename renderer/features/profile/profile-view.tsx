import { functionRefOf } from '../../state/function-text.ts';
import { useDeferredValue, useState, type ReactElement } from 'react';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { GraphAndTable } from '../panes/graph-and-table.tsx';
import { usePaneLayout } from '../../state/window-fit.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { TimePanel } from '../time/panel.tsx';
import { TransformChips } from '../transforms/chips.tsx';
import { onDemand } from '../../state/on-demand.tsx';
import { FrameMenu, type MenuRequest } from './frame-menu.tsx';
import { useFunctions, useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { SidePanel } from './side-panel.tsx';
import { ProfileToolbar } from './toolbar.tsx';
import { ViewPanes } from './view-panes.tsx';
import '../../ui/table/grid/grid.css';
import '../../ui/table/tables.css';
import '../source/source.css';

const LiveBar = onDemand(() => import('../live/live-bar.tsx').then((part) => part.LiveBar));
const TablesPane = onDemand(() => import('./tables-pane.tsx').then((part) => part.TablesPane));

/** An opened profile: toolbar, time, graphs, and the tables and details of the focused view. */
export function ProfileViewPanel({ theme }: { theme: Theme }): ReactElement {
  const { live } = useProfileTab();
  return (
    <>
      {live !== null && <LiveBar live={live} />}
      <ProfileToolbar />
      <TransformChips />
      <TimePanel theme={theme} />
      <Panes theme={theme} />
    </>
  );
}

function Panes({ theme }: { theme: Theme }): ReactElement {
  const { preferences } = useWorkbench();
  const view = useView();
  const functions = useFunctions();
  const analysis = useViewState((state) => state.analysis);
  const layout = usePaneLayout();
  const codeBeside = useStore(
    preferences,
    (state) => state.detailsOpen && state.detailsPage === 'source' && !state.graphAlone,
  );
  const node = useViewState((state) => state.zoomNode);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  // The graph is painted first.
  const hasTables = useDeferredValue(analysis !== null, false);
  return (
    <div className={codeBeside ? 'panes-and-code with-code' : 'panes-and-code'}>
      <GraphAndTable
        zoom={{ of: view, node }}
        graph={<ViewPanes theme={theme} stacked={layout === 'beside'} />}
        table={
          <>
            {analysis === null || !hasTables ? (
              <span className="table-pane fill" />
            ) : (
              <TablesPane
                analysis={analysis}
                theme={theme}
                onMenu={(frame, point, from) => setMenu({ frame, point, from })}
                onFocusFunction={(func) => {
                  const on = { by: 'function', func: functionRefOf(functions, func) } as const;
                  view.setTransforms([...view.store.get().transforms, { enabled: true, kind: 'focus', on }]);
                }}
              />
            )}
            {!codeBeside && <SidePanel theme={theme} />}
          </>
        }
      />
      {menu !== null && <FrameMenu request={menu} onClose={() => setMenu(null)} />}
      {codeBeside && <SidePanel theme={theme} />}
    </div>
  );
}
