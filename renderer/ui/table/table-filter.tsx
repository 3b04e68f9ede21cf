import { count } from '../format.ts';
import type { JSX, KeyboardEvent } from 'react';

interface TableFilterProps {
  readonly label: string;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** Arrow down: on to the rows. */
  readonly onLeave: () => void;
  readonly shown: number;
  readonly all: number;
  readonly rowNoun: string;
}

export function TableFilter(props: TableFilterProps): JSX.Element {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') props.onLeave();
    else if (event.key === 'Escape' && props.filter !== '') props.onFilter('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const all = `${count(props.all)} ${props.rowNoun}`;
  return (
    <div className="table-filter">
      <input
        type="text"
        aria-label={props.label}
        placeholder={props.label}
        spellCheck={false}
        autoComplete="off"
        maxLength={500}
        value={props.filter}
        onChange={(event) => props.onFilter(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <output>{props.filter.trim() === '' ? all : `${count(props.shown)} of ${all}`}</output>
    </div>
  );
}
