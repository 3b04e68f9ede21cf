import { useCallback, useEffect, useRef, useState } from 'react';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { TreeFind, TreeSpot, TreeStep, TreeTableRows } from '../../../core/analyze/tables/table-protocol.ts';
import { createTreeRowsCache, type TreeRowsCache } from './tree-rows-cache.ts';

/** One call tree and what is open in it, wherever that is. A new object means a new tree: nodes of the old one no longer hold. */
export interface TreeTableSource {
  /** Nodes, the root among them. */
  readonly length: number;
  rows(first: number, count: number, order: RowOrder): Promise<TreeTableRows>;
  step(step: TreeStep, order: RowOrder): Promise<TreeSpot>;
  find(find: TreeFind, order: RowOrder): Promise<TreeSpot>;
  sums(nodes: Int32Array): Promise<SelectionSums>;
}

/** Rows asked for at a time, before and after those in view. */
const MARGIN = 100;

export interface TreeRowsInView {
  /** Null until the first rows are there. Those of the state before stay until the new ones are. */
  readonly cache: TreeRowsCache | null;
  /** Its rows are of the tree before: nodes, functions and weights mean what they did there. */
  readonly isOlder: boolean;
  readonly onView: (first: number, count: number) => void;
  /** What shows has changed: asks anew, `around` a row that comes into view. */
  readonly refresh: (around: number | null) => Promise<void>;
}

interface KnownRows {
  readonly source: TreeTableSource;
  readonly cache: TreeRowsCache;
}

/** Keeps the rows in view at hand while the table scrolls. */
export function useTreeRows(source: TreeTableSource, order: RowOrder): TreeRowsInView {
  const [shown, setShown] = useState<KnownRows | null>(null);
  const [, redraw] = useState(0);
  const inView = useRef({ first: 0, count: 0 });
  const generation = useRef(0);
  const current = useRef<KnownRows | null>(null);
  /** The tree that a question is on its way to: one that is outdated by then is never answered. */
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

  /** One question at a time: while it is on its way the view moves on, and only where it came to rest matters. */
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
  // Each answer draws, and each drawing asks for what is still missing.
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
