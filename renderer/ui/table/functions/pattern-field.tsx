import { useRef, type JSX, type KeyboardEvent } from 'react';
import { usePart } from '../../parts.tsx';

interface PatternFieldProps {
  readonly pattern: string;
  readonly onPattern: (pattern: string) => void;
  readonly running: boolean;
  /** Why the pattern cannot be used. */
  readonly refused: string | null;
  /** Called on arrow down and Enter to focus the rows. */
  readonly focusRows: () => void;
}

/** A field for a regular expression that filters function names. */
export function PatternFilter({ pattern, onPattern, running, refused, focusRows }: PatternFieldProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  usePart('table.filter', field);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'Enter') focusRows();
    else if (event.key === 'Escape' && pattern !== '') onPattern('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div className="table-pattern">
      <input
        ref={field}
        type="text"
        aria-label="Filter functions"
        aria-invalid={refused !== null}
        aria-busy={running}
        placeholder="Filter functions: regex"
        title="A regular expression over function names; a capital letter makes it case-sensitive"
        spellCheck={false}
        autoComplete="off"
        maxLength={10_000}
        value={pattern}
        onChange={(event) => onPattern(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {refused !== null && (
        <div className="field-refused" role="alert">
          {refused}
        </div>
      )}
    </div>
  );
}
