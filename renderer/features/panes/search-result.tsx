import type { ReactElement } from 'react';
import type { SearchState } from '../../state/analysis/analysis-state.ts';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';

interface SearchResultProps<Matches> {
  readonly search: SearchState<Matches>;
  /** Returns the share of the weight in matching stacks, as text. */
  readonly share: (matches: Matches) => string;
  readonly shareTitle: string;
  /** Number of functions searched, and a description of them. */
  readonly functions: number;
  readonly functionsTitle: string;
}

/** The result of a search, next to its field. */
export function SearchSummary<Matches extends { readonly functions: number }>({
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
