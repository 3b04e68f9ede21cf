import { useCallback, useEffect, useRef, useState } from 'react';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { TreeFind, TreeSpot, TreeStep, TreeTableRows } from '../../../../core/analyze/tables/table-protocol.ts';
import { createTreeRowsCache, type TreeRowsCache } from './rows-cache.ts';

/** A call tree with its open rows. A new object means a new tree, for which old nodes are invalid. */
export interface TreeTableSource {
  /** Number of nodes, including the root. */
  readonly length: number;
  rows(first: number, count: number, order: RowOrder): Promise<TreeTableRows>;
  step(step: TreeStep, order: RowOrder): Promise<TreeSpot>;
  find(find: TreeFind, order: RowOrder): Promise<TreeSpot>;
  sums(nodes: Int32Array): Promise<SelectionSums>;
}

/** Number of rows requested before and after the visible ones. */
const MARGIN = 100;

interface TreeRowsInView {
  /** Null until the first rows are loaded. The previous state's rows stay until the new ones arrive. */
  readonly cache: TreeRowsCache | null;
  /** True while the rows belong to the previous tree; their nodes, functions and weights refer to it. */
  readonly isOlder: boolean;
  readonly onView: (first: number, count: number) => void;
  /** Requests the rows again after a change; `around` is a row to scroll to. */
  readonly refresh: (around: number | null) => Promise<void>;
}

interface KnownRows {
  readonly source: TreeTableSource;
  readonly cache: TreeRowsCache;
}

/** Keeps the visible rows loaded while the table scrolls. */
export function useTreeRows(source: TreeTableSource, order: RowOrder): TreeRowsInView {
  const [shown, setShown] = useState<KnownRows | null>(null);
  const [, redraw] = useState(0);
  const inView = useRef({ first: 0, count: 0 });
  const generation = useRef(0);
  const current = useRef<KnownRows | null>(null);
  /** The tree that a pending request is for; requests of an outdated tree are never answered. */
  const asking = useRef<TreeTableSource | null>(null);

  const refresh = useCallback(
    async (around: number | null) => {
      const own = (generation.current += 1);
      const { first, count } = inView.current;
      const from = Math.max(0, (around ?? first) - MARGIN);
      const rows = await source.rows(from, count + 2 * MARGIN, order);
      if (own !== generation.current) return;
      const next = { source, cache: createTreeRowsCache(rows.rowCount) };
      next.cache.add(rows);
      current.current = next;
      setShown(next);
    },
    [source, order],
  );

  /** Sends one request at a time: the view may move on while it is pending, and only its final position matters. */
  const fill = useCallback(() => {
    const known = current.current;
    const { first, count } = inView.current;
    if (asking.current === source || known?.source !== source || known.cache.has(first, count)) return;
    asking.current = source;
    const end = (): void => {
      if (asking.current === source) asking.current = null;
      redraw((drawn) => drawn + 1);
    };
    source.rows(Math.max(0, first - MARGIN), count + 2 * MARGIN, order).then((rows) => {
      known.cache.add(rows);
      end();
    }, end);
  }, [source, order]);
  // Each answer triggers a render, and each render requests the rows that are still missing.
  useEffect(fill);

  useEffect(() => {
    void refresh(null);
  }, [refresh]);

  const onView = useCallback(
    (first: number, count: number) => {
      inView.current = { first, count };
      fill();
    },
    [fill],
  );
  return { cache: shown?.cache ?? null, isOlder: shown !== null && shown.source !== source, onView, refresh };
}
