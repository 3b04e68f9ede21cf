import { useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useStore } from '../../state/store.ts';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';

interface GraphAndTableProps {
  readonly graph: ReactNode;
  readonly table: ReactNode;
}

/** The graph and the table, stacked or side by side according to the user's setting, with the splitter between them. */
export function GraphAndTable({ graph, table }: GraphAndTableProps): ReactElement {
  const { preferences } = useWorkbench();
  const layout = useStore(preferences, (state) => state.layout);
  const split = useStore(preferences, (state) => state.split);
  const alone = useStore(preferences, (state) => state.graphAlone);
  const panes = useRef<HTMLDivElement>(null);
  const beside = layout === 'beside';
  const panesSize = (): number => {
    const box = panes.current?.getBoundingClientRect();
    return (beside ? box?.width : box?.height) ?? 1;
  };
  return (
    <div ref={panes} className={`panes ${layout}`}>
      <div className="pane graph-pane" style={{ flexBasis: alone ? '100%' : `${split * 100}%` }}>
        {graph}
      </div>
      {!alone && (
        <>
          <Splitter
            label="Graph and table"
            orientation={beside ? 'vertical' : 'horizontal'}
            value={split}
            min={0.15}
            max={0.85}
            perPixel={() => 1 / panesSize()}
            onChange={(value) => {
              preferences.set({ split: value });
            }}
          />
          <div className="pane lower-pane">{table}</div>
        </>
      )}
    </div>
  );
}
