import { useRef, type ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { format } from '../../ui/format.ts';
import { OrientationChoice } from '../../ui/fields/orientation-choice.tsx';
import { usePart } from '../../ui/parts.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { GranularityButton } from '../transforms/granularity-button.tsx';
import { SearchSummary } from '../panes/search-result.tsx';

/** The toolbar of a comparison: how it is drawn, the search of both sides, and swapping them. */
export function CompareToolbar({ compared }: { compared: Compared }): ReactElement {
  const bar = useRef<HTMLDivElement>(null);
  usePart('toolbar', bar);
  const tab = useCompare();
  const graph = useCompareState((state) => state.look.graph);
  const transforms = useCompareState((state) => state.options.transforms);
  const orientation = useCompareState((state) => state.look.orientation);
  const text = useCompareState((state) => state.searchText);
  const search = useCompareState((state) => state.search);
  return (
    <div ref={bar} className="toolbar" role="toolbar" aria-label="Comparison">
      <GranularityButton
        transforms={transforms}
        onChange={(next) => {
          tab.setOptions({ transforms: next });
        }}
      />
      <Segments
        label="What the graphs show"
        value={graph}
        options={[
          { value: 'side-by-side', label: 'Side by side', title: 'Before and after on one scale' },
          { value: 'delta', label: 'Delta graph', title: 'One graph, coloured by what changed' },
        ]}
        onChange={(next) => {
          tab.setLook({ graph: next });
        }}
      />
      <OrientationChoice
        value={orientation}
        onChange={(next) => {
          tab.setLook({ orientation: next });
        }}
      />
      <SearchField text={text} onText={tab.setSearch} refused={search.status === 'refused' ? search.message : null}>
        <SearchSummary
          search={search}
          share={({ before, after }) =>
            `${format.share(before, compared.before.total)} → ${format.share(after, compared.after.total)}`
          }
          shareTitle="Weight of stacks with a match, before → after, each as a share of its side"
          functions={compared.functions.length}
          functionsTitle="Matching functions, of those on both sides"
        />
      </SearchField>
      <span className="toolbar-end">
        <SwapButton />
      </span>
    </div>
  );
}

function SwapButton(): ReactElement {
  const tab = useCompare();
  const keys = useKeymap().textOf('graph.swap');
  return (
    <button
      type="button"
      className="button swap-button"
      title="Swap the sides; every delta changes its sign"
      onClick={tab.swap}
    >
      swap <span aria-hidden="true">⇄</span>
      {keys !== null && <kbd>{keys}</kbd>}
    </button>
  );
}
