import type { ReactElement } from 'react';

interface AnalysingProps {
  readonly canCancel: boolean;
  readonly onCancel: () => void;
}

/** Appears (by its style) where an analysis takes longer than 200 ms; the view before it stays usable meanwhile. */
export function Analysing({ canCancel, onCancel }: AnalysingProps): ReactElement {
  return (
    <div className="analysing">
      <progress className="busy" aria-label="Analysing" />
      {canCancel && (
        <div className="analysing-cancel" role="status">
          <span className="dim">Analysing…</span>
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </div>
  );
}
