import type { ReactElement } from 'react';
import { format } from '../../ui/format.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { useView, useViewState } from '../../state/profile/context.ts';
import { SearchResult } from '../panes/search-result.tsx';

/** A regular expression over function names; says how much of the weight lies in stacks that match. */
export function SearchBox(): ReactElement {
  const view = useView();
  const text = useViewState((state) => state.searchText);
  const search = useViewState((state) => state.search);
  const total = useViewState((state) => state.analysis?.total ?? 0);
  const functions = useViewState((state) => state.analysis?.rows.func.length ?? 0);
  const refused = search.status === 'refused' ? search.message : null;
  return (
    <SearchField text={text} onText={view.setSearch} refused={refused}>
      <SearchResult
        search={search}
        share={({ weight }) => format.share(weight, total)}
        shareTitle="Weight of stacks with a match"
        functions={functions}
        functionsTitle="Matching functions, of those in this view"
      />
    </SearchField>
  );
}
