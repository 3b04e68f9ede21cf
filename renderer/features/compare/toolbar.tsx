import { useRef, type ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { format } from '../../ui/format.ts';
import { OrientationChoice } from '../../ui/fields/orientation-choice.tsx';
import { usePart } from '../../ui/parts.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { recordAgain, recordMissing } from '../experiments/record-missing.ts';
import { NormalisationChoice } from './normalisation-choice.tsx';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import { missingRunsText } from '#core/compare/describe-change.ts';
import { totalFactor } from '#core/compare/describe-sizes.ts';
import { isRelative } from '#core/compare/statistics/judge-by-size.ts';
import { GranularityButton } from '../transforms/granularity-button.tsx';
import { SearchSummary } from '../panes/search-result.tsx';
import { Button } from '../../ui/buttons.tsx';

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
      <GranularityButton transforms={transforms} onChange={(next) => tab.setOptions({ transforms: next })} />
      <Segments
        label="What the graphs show"
        value={graph}
        options={[
          { value: 'side-by-side', label: 'Side by side', title: 'Before and after on one scale' },
          { value: 'delta', label: 'Delta graph', title: 'One graph, coloured by what changed' },
        ]}
        onChange={(next) => tab.setLook({ graph: next })}
      />
      <OrientationChoice value={orientation} onChange={(next) => tab.setLook({ orientation: next })} />
      <SizeChoice compared={compared} />
      <NormalisationChoice compared={compared} />
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
        <RecordButton compared={compared} />
        <SwapButton />
      </span>
    </div>
  );
}

/** Where size factors decide: changes relative to the typical function, or all values as measured. */
function SizeChoice({ compared: { sizes } }: { compared: Compared }): ReactElement | null {
  const tab = useCompare();
  if (sizes === null || sizes.status === 'same' || sizes.status === 'unknown') return null;
  const all = totalFactor(sizes);
  return (
    <Segments
      label="Values"
      value={isRelative(sizes) ? 'relative' : 'measured'}
      options={[
        { value: 'relative', label: 'Relative', title: 'Changes relative to the typical function, which are judged' },
        {
          value: 'measured',
          label: `As measured${all === null ? '' : ` ${all}`}`,
          title: 'Values as they were recorded; load or machine may have caused any change, so none is judged',
        },
      ]}
      onChange={(next) => tab.setOptions({ asMeasured: next === 'measured' })}
    />
  );
}

/** Records what the verdicts lack: more runs, or runs of both sides in turn if load or machine may have changed. */
function RecordButton({ compared }: { compared: Compared }): ReactElement | null {
  const { showDialog } = useWorkbench();
  const experimentId = useCompareState((state) => state.experimentId);
  const { runs, isReplicated, sharesHost, sizes } = compared;
  const missing = isReplicated || !sharesHost ? null : missingRunsText(runs);
  if (missing !== null) {
    return (
      <Button
        className="primary"
        title={`Record ${missing}: verdicts need ${LEAST_REPLICATES} a side`}
        onClick={() => showDialog(recordMissing(runs, experimentId))}
      >
        Record {missing.replace(' per side', '')}
      </Button>
    );
  }
  if (sizes === null || sizes.status === 'same') return null;
  return (
    <Button
      className="primary"
      title="Both sides in turn, in the order A B B A, so that load and machine affect them alike"
      onClick={() => showDialog(recordAgain(experimentId))}
    >
      Record again
    </Button>
  );
}

function SwapButton(): ReactElement {
  const tab = useCompare();
  const keys = useKeymap().textOf('graph.swap');
  return (
    <Button className="swap-button" title="Swap the sides; every delta changes its sign" onClick={tab.swap}>
      Swap
      {keys !== null && <kbd>{keys}</kbd>}
    </Button>
  );
}
