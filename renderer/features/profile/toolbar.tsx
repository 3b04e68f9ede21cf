import { useMemo, useRef, type ReactElement } from 'react';
import { COLOUR_CHOICES, defaultColour } from '../../state/colour-choice.ts';
import { Icon } from '../../ui/icons.tsx';
import { OrientationChoice } from '../../ui/fields/orientation-choice.tsx';
import { usePart } from '../../ui/parts.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { useView, useViewState } from '../../state/profile/context.ts';
import { ThreadPicker } from './thread-picker.tsx';
import { ValueTypeField } from './value-type-field.tsx';
import { ViewTools } from './view-tools.tsx';
import { GranularityButton } from '../transforms/granularity-button.tsx';
import { AddTransformButton } from '../transforms/add-transform-button.tsx';
import { format } from '../../ui/format.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SearchSummary } from '../panes/search-result.tsx';

export function ProfileToolbar(): ReactElement {
  const bar = useRef<HTMLDivElement>(null);
  usePart('toolbar', bar);
  const view = useView();
  const orientation = useViewState((state) => state.orientation);
  const tree = useViewState((state) => state.tree.kind);
  const transforms = useViewState((state) => state.transforms);
  return (
    <div ref={bar} className="toolbar" role="toolbar" aria-label="View">
      <ValueTypeSelect />
      <GranularityButton transforms={transforms} onChange={view.setTransforms} />
      <ThreadPicker />
      <OrientationChoice value={orientation} onChange={view.setOrientation} />
      <Segments
        label="What the graph shows"
        value={tree}
        options={[
          { value: 'top-down', label: 'Top-down', title: 'From the entry point down to its callees' },
          { value: 'bottom-up', label: 'Bottom-up', title: 'From the function with the weight up to its callers' },
          {
            value: 'time-order',
            label: 'In time',
            title: view.profile.hasTime ? 'Samples in time order' : 'No sample in this profile has a timestamp',
          },
          { value: 'sandwich', label: 'Sandwich', title: 'The selected function between its callers and its callees' },
        ]}
        onChange={(kind) => view.setTree({ kind })}
      />
      <SearchBox />
      <AddTransformButton />
      <span className="toolbar-end">
        <ColourSelect />
        <ViewTools />
      </span>
    </div>
  );
}

const COLOURS = COLOUR_CHOICES.map((value) => ({ value, label: value }));

function ColourSelect(): ReactElement {
  const view = useView();
  const chosen = useViewState((state) => state.colour);
  const usual = useMemo(() => defaultColour(view.profile), [view]);
  return <Select caption="colour" value={chosen ?? usual} options={COLOURS} onChange={view.setColour} />;
}

function ValueTypeSelect(): ReactElement {
  const { valueTypes } = useView().profile;
  return (
    <label className="select">
      <span className="caption">type</span>
      <ValueTypeField />
      {valueTypes.length > 1 && <Icon name="chevron-down" />}
    </label>
  );
}

/** The search field for function names, with the share of weight in matching stacks. */
function SearchBox(): ReactElement {
  const view = useView();
  const text = useViewState((state) => state.searchText);
  const search = useViewState((state) => state.search);
  const total = useViewState((state) => state.analysis?.total ?? 0);
  const functions = useViewState((state) => state.analysis?.rows.func.length ?? 0);
  const refused = search.status === 'refused' ? search.message : null;
  return (
    <SearchField text={text} onText={view.setSearch} refused={refused}>
      <SearchSummary
        search={search}
        share={({ weight }) => format.share(weight, total)}
        shareTitle="Weight of stacks with a match"
        functions={functions}
        functionsTitle="Matching functions, of those in this view"
      />
    </SearchField>
  );
}
