import type { ReactElement } from 'react';
import type { SearchState } from '../../state/analysis/analysis-view.ts';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';

interface SearchResultProps<Matches> {
  readonly search: SearchState<Matches>;
  /** Share of the weight in matching stacks, as text. */
  readonly share: (matches: Matches) => string;
  readonly shareTitle: string;
  /** All functions that were searched, and whose they are. */
  readonly functions: number;
  readonly functionsTitle: string;
}

/** What a search found, beside its field. */
export function SearchResult<Matches extends { readonly functions: number }>({
  search,
  share,
  shareTitle,
  functions,
  functionsTitle,
}: SearchResultProps<Matches>): ReactElement | null {
  if (search.status === 'running') return <span className="dim">…</span>;
  if (search.status === 'refused') return <Icon name="warning" />;
  if (search.status === 'none') return null;
  return (
    <>
      <b title={shareTitle}>{share(search.matches)}</b>
      <span className="dim" title={functionsTitle}>
        {count(search.matches.functions)}/{count(functions)}
      </span>
    </>
  );
}
