import { useMemo, useState, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { VirtualList } from './virtual-list.tsx';

interface SearchedListProps<Row> {
  readonly id: string;
  readonly label: string;
  /** Null if the list is too short to need a search field. */
  readonly search: { readonly label: string; readonly placeholder: string } | null;
  /** Returns the rows that match a query, all for an empty one. The list is updated when the function changes. */
  readonly find: (query: string) => readonly Row[];
  readonly visibleRows: number;
  readonly isChosen: (row: Row) => boolean;
  /** Called on Space, and on Ctrl-click without `onClick`. */
  readonly onToggle: (row: Row) => void;
  /** Called on Enter, and on a click without `onClick`. */
  readonly onTake: (row: Row) => void;
  readonly onClick?: (row: Row, event: MouseEvent) => void;
  /** Shown below the list, for the query and its rows. */
  readonly foot?: (query: string, rows: readonly Row[]) => ReactNode;
  /** Shown after the check mark. */
  readonly children: (row: Row) => ReactNode;
}

const ROW_PX = 24;

/** A searchable list of rows, some of which are selected; arrow keys work from the search field too. */
export function SearchedList<Row>(props: SearchedListProps<Row>): ReactElement {
  const { id, label, search, find, visibleRows, isChosen, onToggle, onTake, children } = props;
  const onClick = props.onClick ?? ((row, event) => (event.ctrlKey || event.metaKey ? onToggle : onTake)(row));
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const rows = useMemo(() => find(query), [find, query]);
  const at = Math.min(active, rows.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLInputElement;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(rows.length - 1, at + step)));
    // A key held down since the list was opened selects nothing.
    else if (event.repeat && (event.key === 'Enter' || event.key === ' ')) {
      if (event.key === ' ' && typing) return;
    } else if (event.key === 'Enter' && rows[at] !== undefined) onTake(rows[at]);
    else if (event.key === ' ' && !typing && rows[at] !== undefined) onToggle(rows[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {search !== null && (
        <div className="field">
          <Icon name="search" />
          <input
            type="search"
            aria-label={search.label}
            placeholder={search.placeholder}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
      <VirtualList
        id={id}
        label={label}
        multiple
        count={rows.length}
        rowPx={ROW_PX}
        visibleRows={visibleRows}
        active={at}
        isSelected={(index) => isChosen(rows[index]!)}
        onKeyDown={onKeyDown}
        onClick={(index, event) => {
          setActive(index);
          onClick(rows[index]!, event);
        }}
      >
        {(index) => (
          <>
            <span className="option-check">{isChosen(rows[index]!) && <Icon name="check" />}</span>
            {children(rows[index]!)}
          </>
        )}
      </VirtualList>
      {props.foot?.(query, rows)}
    </>
  );
}
