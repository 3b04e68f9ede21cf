import { useCallback, useEffect, useRef, useState } from 'react';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { NodePaths } from '#core/analyze/tree/open-paths.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { TreeFind, TreeSpot, TreeStep, TreeTableRows } from '../../../../core/analyze/tables/table-protocol.ts';
import type { MovedRows } from '../grid/grid.types.ts';
import { createTreeRowsCache, type TreeRowsCache } from './rows-cache.ts';

/** A call tree with its open rows. A new object means a new tree, for which old nodes are invalid. */
export interface TreeTableSource {
  /** Number of nodes, including the root. */
  readonly length: number;
  rows(first: number, count: number, order: RowOrder): Promise<TreeTableRows>;
  step(step: TreeStep, order: RowOrder): Promise<TreeSpot>;
  find(find: TreeFind, order: RowOrder): Promise<TreeSpot>;
  sums(nodes: Int32Array): Promise<SelectionSums>;
  /** Returns what finds nodes again in the next tree of a growing profile; null if this tree is gone. */
  paths(nodes: Int32Array): Promise<NodePaths | null>;
  /** See `nodesOfPaths`. */
  nodes(paths: NodePaths): Promise<Int32Array>;
}

/** Number of rows requested before and after the visible ones. */
const MARGIN = 100;

interface TreeRowsInView {
  /** Null until the first rows are loaded. The previous state's rows stay until the new ones arrive. */
  readonly cache: TreeRowsCache | null;
  /** The tree of these rows. */
  readonly shown: TreeTableSource | null;
  /** True while the rows belong to the previous tree; their nodes, functions and weights refer to it. */
  readonly isOlder: boolean;
  /** How the rows have moved in the newest tree of a growing profile; null if they have not. */
  readonly moved: MovedRows | null;
  readonly onView: (first: number, count: number) => void;
  /** Requests the rows again after a change; `around` is a row to scroll to. */
  readonly refresh: (around: number | null) => Promise<void>;
}

interface KnownRows {
  readonly source: TreeTableSource;
  readonly lineage: object | null;
  readonly cache: TreeRowsCache;
  readonly moved: MovedRows | null;
}

/** Keeps the visible rows loaded while the table scrolls. `lineage` stays the same object while the profile grows. */
export function useTreeRows(source: TreeTableSource, order: RowOrder, lineage: object | null): TreeRowsInView {
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
      const before = current.current;
      const hasGrown = lineage !== null && before?.lineage === lineage && before.source !== source;
      const by = hasGrown ? await rowsMoved(before, inView.current, source, order) : 0;
      const from = Math.max(0, (around ?? first + by) - MARGIN);
      const rows = await source.rows(from, count + 2 * MARGIN, order);
      if (own !== generation.current) return;
      const moved = by === 0 ? (before?.moved ?? null) : { rows: by };
      const next = { source, lineage, cache: createTreeRowsCache(rows.rowCount), moved };
      next.cache.add(rows);
      current.current = next;
      setShown(next);
    },
    [source, order, lineage],
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
  const isOlder = shown !== null && shown.source !== source;
  const { cache = null, moved = null } = shown ?? {};
  return { cache, shown: shown?.source ?? null, isOlder, moved, onView, refresh };
}

/** Returns by how many rows the topmost visible one that the next tree has as well is further down there. */
async function rowsMoved(
  { source: before, cache }: KnownRows,
  { first, count }: { readonly first: number; readonly count: number },
  source: TreeTableSource,
  order: RowOrder,
): Promise<number> {
  const rows = Array.from({ length: count }, (_, at) => cache.at(first + at)).filter((row) => row !== undefined);
  const byNode = rows.toSorted((a, b) => a.node - b.node);
  const paths = await before.paths(Int32Array.from(byNode, ({ node }) => node));
  if (paths === null) return 0;
  const nodes = await source.nodes(paths);
  const kept = rows.find((row) => (nodes[byNode.indexOf(row)] ?? -1) >= 0);
  if (kept === undefined) return 0;
  const { row } = await source.step({ kind: 'reveal', node: nodes[byNode.indexOf(kept)]! }, order);
  return row < 0 ? 0 : row - kept.position;
}
