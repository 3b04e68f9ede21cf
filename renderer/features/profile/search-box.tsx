import type { ReactElement } from 'react';
import { count, format } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import type { ViewState } from '../../state/view-state.ts';
import { useView, useViewState } from '../../state/profile-context.ts';

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
      <SearchResult search={search} total={total} functions={functions} />
    </SearchField>
  );
}

function SearchResult({
  search,
  total,
  functions,
}: {
  search: ViewState['search'];
  total: number;
  functions: number;
}): ReactElement | null {
  if (search.status === 'running') return <span className="dim">…</span>;
  if (search.status === 'refused') return <Icon name="warning" />;
  if (search.status === 'none') return null;
  const { matches } = search;
  return (
    <>
      <b title="Weight of stacks with a match">{format.share(matches.weight, total)}</b>
      <span className="dim" title="Matching functions, of those in this view">
        {count(matches.functions)}/{count(functions)}
      </span>
    </>
  );
}
