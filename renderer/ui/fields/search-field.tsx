import { useId } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { Icon } from '../icons.tsx';

interface SearchFieldProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Enter, and Escape in an empty field. */
  readonly onLeave: () => void;
  /** Why the pattern can't be searched for; null where it can. */
  readonly refused: string | null;
  /** What was found. */
  readonly children: ReactNode;
}

/** A regular expression over function names, and what it found. */
export function SearchField({ field, text, onText, onLeave, refused, children }: SearchFieldProps): ReactElement {
  const id = useId();
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
          onChange={(event) => {
            onText(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') onText('');
            else if (event.key === 'Escape' || event.key === 'Enter') onLeave();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <output id={id} className="search-result mono">
          {children}
        </output>
      </div>
      {refused !== null && (
        <div className="search-refused" role="alert">
          {refused}
        </div>
      )}
    </div>
  );
}
