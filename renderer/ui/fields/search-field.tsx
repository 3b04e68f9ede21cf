import { useId, useRef, type ReactElement, type ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { usePart, useParts } from '../parts.tsx';

interface SearchFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Why the pattern cannot be searched; null if it can. */
  readonly refused: string | null;
  /** The search's result. */
  readonly children: ReactNode;
}

/**
 * A field for a regular expression over function names, with the result of the search. Enter and Shift-Enter go to the
 * next and previous match in the graph; Escape clears the field, then focuses the graph.
 */
export function SearchField({ text, onText, refused, children }: SearchFieldProps): ReactElement {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const parts = useParts();
  usePart('search', field, () => field.current?.select());
  return (
    <div className="search-box">
      <div className={refused === null ? 'field' : 'field invalid'}>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          className="mono"
          aria-label="Search functions by regular expression"
          aria-invalid={refused !== null}
          aria-describedby={id}
          placeholder="regex"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') onText('');
            else if (event.key === 'Escape') parts?.focus('graph');
            else if (event.key === 'Enter') {
              parts?.run('graph', event.shiftKey ? 'graph.previous-match' : 'graph.next-match');
            } else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <output id={id} className="search-result mono">
          {children}
        </output>
      </div>
      {refused !== null && (
        <div className="field-refused" role="alert">
          {refused}
        </div>
      )}
    </div>
  );
}
