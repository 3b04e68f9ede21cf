import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { useStore } from '../../state/store.ts';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { showGraph, usePaneLayout } from '../../state/window-fit.ts';
import { useWorkbench } from '../../state/workbench-context.ts';

interface GraphAndTableProps {
  readonly graph: ReactNode;
  readonly table: ReactNode;
  /** The view, and the node that its graph is zoomed into: zooming brings a graph behind a tab to the front. */
  readonly zoom: { readonly of: object; readonly node: number };
}

/** The graph and the table: stacked or side by side with a splitter between them, or one of them behind a tab. */
export function GraphAndTable({ graph, table, zoom }: GraphAndTableProps): ReactElement {
  const { preferences } = useWorkbench();
  const layout = usePaneLayout();
  const split = useStore(preferences, (state) => state.split);
  const alone = useStore(preferences, (state) => state.graphAlone);
  const { of, node } = zoom;
  const last = useRef(zoom);
  useEffect(() => {
    if (last.current.of === of && last.current.node !== node) showGraph(preferences);
    last.current = { of, node };
  }, [of, node, preferences]);
  const panes = useRef<HTMLDivElement>(null);
  const beside = layout === 'beside';
  const panesSize = (): number => {
    const box = panes.current?.getBoundingClientRect();
    return (beside ? box?.width : box?.height) ?? 1;
  };
  const isBehind = layout === 'tabs' && !alone;
  const isTableAway = alone && layout !== 'tabs';
  return (
    <div ref={panes} className={`panes ${layout}`}>
      {!isBehind && (
        <div className="pane graph-pane" style={{ flexBasis: alone ? '100%' : `${split * 100}%` }}>
          {graph}
        </div>
      )}
      {!isTableAway && (
        <>
          {layout !== 'tabs' && (
            <Splitter
              label="Graph and table"
              orientation={beside ? 'vertical' : 'horizontal'}
              value={split}
              min={0.15}
              max={0.85}
              perPixel={() => 1 / panesSize()}
              onChange={(value) => preferences.set({ split: value })}
            />
          )}
          {/* Stays while it is behind the graph, so that its rows keep the focus when the window is enlarged. */}
          <div className="pane lower-pane" hidden={alone}>
            {table}
          </div>
        </>
      )}
    </div>
  );
}
