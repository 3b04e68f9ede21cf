import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { NodePaths } from '#core/analyze/tree/open-paths.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import { rowSet, toggledRow } from '../grid/row-selection.ts';
import type { RowSet } from '../table.types.ts';
import type { TreeTableSource } from './use-rows.ts';
import { takeAnswer } from '../../take-answer.ts';

/** A selection of several nodes of a tree, made with Ctrl, Shift and Ctrl+A. */
export interface TreeSelection {
  /** Nodes of the tree on screen. */
  readonly chosen: RowSet | null;
  /** Stays the same object until other rows are selected. */
  readonly subject: object | null;
  readonly clear: () => void;
  readonly toggle: (node: number, alone: number | null) => void;
  /** Selects the rows between two positions, both included. */
  readonly range: (from: number, to: number) => void;
  readonly all: (rowCount: number) => void;
  readonly sums: () => ReturnType<TreeTableSource['sums']>;
}

interface ChosenNodes {
  readonly source: TreeTableSource;
  readonly rows: RowSet;
}

interface KeptSelection {
  readonly lineage: object | null;
  /** The selected nodes; they find themselves again in the next trees of a growing profile. */
  readonly paths: Promise<NodePaths | null> | null;
  /** The selection in the newest trees, at most two. */
  readonly inTrees: readonly ChosenNodes[];
}

interface SelectionNeeds {
  readonly source: TreeTableSource;
  readonly order: RowOrder;
  /** Stays the same object while a profile grows; null if it does not grow. */
  readonly lineage: object | null;
}

/** `shown` is the tree on screen: the previous one until the newest is loaded. */
export function useTreeSelection(
  { source, order, lineage }: SelectionNeeds,
  shown: TreeTableSource | null,
): TreeSelection {
  const [kept, setKept] = useState<KeptSelection | null>(null);
  const inTree = kept?.inTrees.find((one) => one.source === shown && one.rows.count > 0) ?? null;
  const chosen = inTree?.rows ?? null;
  const newest = useRef(0);
  const keep = useCallback(
    (rows: RowSet | null) => {
      newest.current += 1;
      if (rows === null || rows.count === 0) return setKept(null);
      const paths = lineage === null ? null : source.paths(nodesOf(rows));
      setKept({ lineage, paths, inTrees: [{ source, rows }] });
    },
    [source, lineage],
  );
  // Sent before the request for the tree's rows, so that both are shown together.
  useLayoutEffect(() => {
    const { paths = null, inTrees = [] } = kept ?? {};
    if (paths === null || kept?.lineage !== lineage || inTrees.some((one) => one.source === source)) return undefined;
    const find = async (): Promise<RowSet | null> => {
      const known = await paths;
      return known && rowSet(source.length, await source.nodes(known));
    };
    return takeAnswer(find(), (rows) => {
      if (rows === null) return;
      setKept((now) => (now?.paths === paths ? { ...now, inTrees: [...inTrees.slice(-1), { source, rows }] } : now));
    });
  }, [kept, source, lineage]);
  const range = useCallback(
    async (from: number, to: number) => {
      const own = (newest.current += 1);
      const first = Math.min(from, to);
      const { node } = await source.rows(first, Math.abs(to - from) + 1, order);
      if (own === newest.current) keep(rowSet(source.length, node));
    },
    [source, order, keep],
  );
  const subject = kept?.paths ?? null;
  return useMemo(
    () => ({
      chosen,
      subject,
      clear: () => keep(null),
      toggle: (node, alone) => keep(toggledRow(source.length, chosen, alone, node)),
      range: (from, to) => void range(from, to),
      all: (rowCount) => void range(0, rowCount - 1),
      sums: () => (inTree?.source ?? source).sums(chosen === null ? new Int32Array(0) : nodesOf(chosen)),
    }),
    [inTree, chosen, subject, keep, range, source],
  );
}

export function nodesOf({ flags, count }: RowSet): Int32Array {
  const nodes = new Int32Array(count);
  let at = 0;
  for (let node = flags.indexOf(1); node >= 0; node = flags.indexOf(1, node + 1)) nodes[at++] = node;
  return nodes;
}
