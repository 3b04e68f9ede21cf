import { useCallback, useMemo, useRef, useState } from 'react';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import { rowSet, toggledRow } from './row-selection.ts';
import type { RowSet } from './table.types.ts';
import type { TreeTableSource } from './use-tree-rows.ts';

/** Several nodes of a tree, chosen by Ctrl, Shift and Ctrl+A. */
export interface TreeSelection {
  readonly chosen: RowSet | null;
  readonly clear: () => void;
  readonly toggle: (node: number, alone: number | null) => void;
  /** The rows between two positions, both included. */
  readonly range: (from: number, to: number) => void;
  readonly all: (rowCount: number) => void;
  readonly sums: () => ReturnType<TreeTableSource['sums']>;
}

export function useTreeSelection(source: TreeTableSource, order: RowOrder): TreeSelection {
  const [kept, setKept] = useState<{ readonly source: TreeTableSource; readonly rows: RowSet } | null>(null);
  const chosen = kept !== null && kept.source === source ? kept.rows : null;
  const newest = useRef(0);
  const keep = useCallback(
    (rows: RowSet | null) => {
      newest.current += 1;
      setKept(rows === null || rows.count === 0 ? null : { source, rows });
    },
    [source],
  );
  const range = useCallback(
    async (from: number, to: number) => {
      const own = (newest.current += 1);
      const first = Math.min(from, to);
      const { node } = await source.rows(first, Math.abs(to - from) + 1, order);
      if (own === newest.current) keep(rowSet(source.length, node));
    },
    [source, order, keep],
  );
  return useMemo(
    () => ({
      chosen,
      clear: () => keep(null),
      toggle: (node, alone) => keep(toggledRow(source.length, chosen, alone, node)),
      range: (from, to) => void range(from, to),
      all: (rowCount) => void range(0, rowCount - 1),
      sums: () => source.sums(chosen === null ? new Int32Array(0) : nodesOf(chosen)),
    }),
    [chosen, keep, range, source],
  );
}

export function nodesOf({ flags, count }: RowSet): Int32Array {
  const nodes = new Int32Array(count);
  let at = 0;
  for (let node = flags.indexOf(1); node >= 0; node = flags.indexOf(1, node + 1)) nodes[at++] = node;
  return nodes;
}
