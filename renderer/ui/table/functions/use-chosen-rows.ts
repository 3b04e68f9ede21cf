import { useCallback, useMemo, useState } from 'react';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import { rowSet } from '../grid/row-selection.ts';
import type { RowSet } from '../table.types.ts';
import type { FunctionRequests } from './functions.types.ts';

interface Selection {
  readonly stats: FunctionStats;
  readonly lineage: object | null;
  readonly rows: RowSet;
}

interface ChosenRows {
  /** Null if no row is selected. */
  readonly chosen: RowSet | null;
  /** Stays the same object until other functions are selected. */
  readonly selection: object | null;
  readonly setChosen: (rows: RowSet | null) => void;
  /** Requests the combined weight of the selected rows. */
  readonly ask: () => Promise<SelectionSums>;
}

/** Keeps the selected rows; a growing profile (see `useAnswer`) keeps their functions, other changes clear them. */
export function useChosenRows(stats: FunctionStats, requests: FunctionRequests, lineage: object | null): ChosenRows {
  const [selection, setSelection] = useState<Selection | null>(null);
  const chosen = useMemo(() => {
    if (selection === null) return null;
    if (selection.stats === stats) return selection.rows;
    return lineage !== null && selection.lineage === lineage ? sameFunctions(selection, stats) : null;
  }, [selection, stats, lineage]);
  const setChosen = useCallback(
    (rows: RowSet | null) => setSelection(rows === null || rows.count === 0 ? null : { stats, lineage, rows }),
    [stats, lineage],
  );
  const ask = useCallback(
    () => requests.sums(stats.func.filter((_, row) => chosen?.flags[row] === 1)),
    [requests, stats, chosen],
  );
  return { chosen, selection, setChosen, ask };
}

/** Returns the rows in `stats` of the functions that were selected in earlier ones; null if there are none. */
function sameFunctions({ stats: before, rows }: Selection, stats: FunctionStats): RowSet | null {
  const functions = new Set(before.func.filter((_, row) => rows.flags[row] === 1));
  const found = rowSet(
    stats.length,
    [...stats.func.keys()].filter((row) => functions.has(stats.func[row]!)),
  );
  return found.count === 0 ? null : found;
}
