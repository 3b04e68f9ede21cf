import type { ReactElement } from 'react';
import { useView, useViewState } from '../../state/profile/context.ts';
import { useSpokenFor } from './use-spoken-for.ts';

/** Appears (by its style) where an analysis takes longer than 200 ms; the view before it stays usable meanwhile. */
export function Analysing(): ReactElement | null {
  const analysing = useViewState((state) => state.analysing);
  return analysing ? (
    <div className="analysing">
      <progress className="busy" aria-label="Analysing" />
      <Cancel />
    </div>
  ) : null;
}

/** Cancelling one of several linked views cancels all of them: the one in front offers it. */
function Cancel(): ReactElement | null {
  const view = useView();
  const isFirst = useViewState((state) => state.analysis === null);
  const spokenFor = useSpokenFor((state) => state.analysing);
  if (isFirst || spokenFor) return null;
  return (
    <div className="analysing-cancel" role="status">
      <span className="dim">Analysing…</span>
      <button type="button" className="button" onClick={view.cancel}>
        Cancel
      </button>
    </div>
  );
}
