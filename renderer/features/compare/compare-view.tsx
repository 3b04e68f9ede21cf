import type { ReactElement } from 'react';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { GraphAndTable } from '../panes/graph-and-table.tsx';
import type { Compared } from '../../analysis/comparison/protocol.ts';
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
  return (
    <>
      <CompareToolbar compared={compared} />
      <CompareSides theme={theme} />
      <CompareTransforms compared={compared} />
      <CompareSays compared={compared} />
      <CompareProgress />
      <GraphAndTable
        graph={<CompareGraphs compared={compared} theme={theme} />}
        table={
          <>
            <CompareTable compared={compared} />
            <CompareSidePanel compared={compared} />
          </>
        }
      />
    </>
  );
}
