import { useRef } from 'react';
import type { ReactElement } from 'react';
import type { Theme } from '../flame/flame-graph.types.ts';
import { Splitter } from '../shell/splitter.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import { useStore } from '../state/store.ts';
import type { Compared } from '../worker/compare-protocol.ts';
import { CompareGraphs } from './compare-graphs.tsx';
import { CompareProgress } from './compare-progress.tsx';
import { CompareSays } from './compare-says.tsx';
import { CompareSidePanel } from './compare-side-panel.tsx';
import { CompareSides } from './compare-sides-head.tsx';
import { CompareTable } from './compare-table.tsx';
import { CompareTransforms } from './compare-transforms.tsx';
import { CompareToolbar } from './compare-toolbar.tsx';

/** What was found: the sides, what it says as a whole, graphs, and below them the table and what is asked about. */
export function CompareView({ compared, theme }: { compared: Compared; theme: Theme }): ReactElement {
  const { preferences } = useWorkbench();
  const split = useStore(preferences, (state) => state.split);
  const layout = useStore(preferences, (state) => state.layout);
  const searchField = useRef<HTMLInputElement>(null);
  const panes = useRef<HTMLDivElement>(null);
  const graphs = useRef<HTMLDivElement>(null);
  const beside = layout === 'beside';
  const panesSize = (): number => {
    const box = panes.current?.getBoundingClientRect();
    return (beside ? box?.width : box?.height) ?? 1;
  };
  return (
    <>
      <CompareToolbar
        compared={compared}
        searchField={searchField}
        onLeaveSearch={() => graphs.current?.querySelector<HTMLElement>('.flame-scroller')?.focus()}
      />
      <CompareSides theme={theme} />
      <CompareTransforms compared={compared} />
      <CompareSays compared={compared} />
      <CompareProgress />
      <div ref={panes} className={`panes ${layout}`}>
        <div ref={graphs} className="pane graph-pane" style={{ flexBasis: `${split * 100}%` }}>
          <CompareGraphs compared={compared} theme={theme} onSearch={() => searchField.current?.select()} />
        </div>
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
        <div className="pane lower-pane">
          <CompareTable compared={compared} />
          <CompareSidePanel compared={compared} />
        </div>
      </div>
    </>
  );
}
