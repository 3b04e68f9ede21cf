import { useCallback, useLayoutEffect, useRef, useState, useMemo } from 'react';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FrameRef } from '../../flame/graph.types.ts';
import type { TreeSpot, TreeStep } from '#core/analyze/tables/table-protocol.ts';
import { rowSet, toggledRow, type SelectMode } from '../grid/row-selection.ts';
import { rowAt, type TreeRow, type TreeRowsCache } from './rows-cache.ts';
import { useTreeRows, type TreeTableSource } from './use-rows.ts';
import type { RowSet } from '../table.types.ts';

interface TreePosition {
  readonly node: number;
  readonly position: number;
}

interface TreeNavigationOptions {
  readonly source: TreeTableSource;
  readonly order: RowOrder;
  readonly matches: Uint8Array | null;
  /** Opened and scrolled to if it was selected elsewhere. */
  readonly selected: CallNodeIndex | null;
  readonly onSelect: (frame: FrameRef) => void;
}

/** The user's position in a call tree, and the actions from there. */
export interface TreeNavigation {
  /** Null until the first rows are loaded. */
  readonly cache: TreeRowsCache | null;
  /** True while the rows are those of the previous tree, which cannot be acted on. */
  readonly isOlder: boolean;
  readonly onView: (first: number, count: number) => void;
  readonly active: TreePosition | null;
  /** The selected row, if it is loaded. */
  readonly activeRow: TreeRow | undefined;
  readonly selection: TreeSelection;
  readonly select: (position: number, mode: SelectMode) => void;
  readonly toggle: (row: TreeRow, kind: TreeStep['kind']) => void;
  readonly toParent: (row: TreeRow) => void;
  /** Moves to the next row from `from` on whose name starts with the prefix. */
  readonly toName: (prefix: string, from: number) => void;
  readonly toMatch: (step: 1 | -1) => void;
  readonly openHotPath: () => void;
  readonly openBelow: () => void;
  readonly closeAll: () => void;
  /** True while the first rows or the result of a step are loading; the previous rows and selection stay. */
  readonly busy: boolean;
  /** Returns the selected rows in the table's order; all rows if nothing is selected. */
  readonly readChosen: () => Promise<readonly TreeRow[]>;
  /** Returns the selected rows if there are several, else all open ones. */
  readonly readShown: () => Promise<readonly TreeRow[]>;
}

export const frameOf = ({ node, func }: { readonly node: number; readonly func: number }): FrameRef => ({
  node: node as CallNodeIndex,
  func: func < 0 ? null : (func as FunctionIndex),
});

export function useTreeNavigation(needs: TreeNavigationOptions): TreeNavigation {
  const { source, order, matches, selected } = needs;
  const { cache, isOlder, onView, refresh } = useTreeRows(source, order);
  const selection = useTreeSelection(source, order);
  const steps = useSteps(source);
  const { at, setAt, follow } = useFollowing(needs, refresh);
  const active = at !== null && (selected !== null || at.node === 0) ? at : null;
  /** Where a range selection starts. */
  const anchor = useRef<number | null>(null);

  function choose(row: { readonly node: number; readonly func: number }, position: number): void {
    // The root is not a function, so choosing it selects nothing elsewhere.
    follow(row.func < 0 ? null : row.node);
    setAt({ node: row.node, position });
    needs.onSelect(frameOf(row));
  }

  async function go(ask: Promise<TreeSpot>): Promise<void> {
    const spot = await ask;
    if (spot.row < 0) return;
    await refresh(spot.row);
    selection.clear();
    anchor.current = spot.row;
    choose(spot, spot.row);
  }

  function selectRow(row: TreeRow, mode: SelectMode): void {
    if (mode === 'range') selection.range(anchor.current ?? active?.position ?? row.position, row.position);
    else {
      anchor.current = row.position;
      if (mode === 'toggle') selection.toggle(row.node, active?.node ?? null);
      else selection.clear();
    }
    choose(row, row.position);
  }

  function select(position: number, mode: SelectMode): void {
    if (isOlder) return;
    const row = cache?.at(position);
    if (row !== undefined) return selectRow(row, mode);
    // The row is still loading, so it is requested separately.
    const asked = source.rows(position, 1, order).then((rows) => {
      if (rows.length > 0) selectRow(rowAt(rows, 0), mode);
    });
    steps.follow(asked);
  }

  /**
   * Opens or closes a row. The active row stays where it is; if the row closed over it, the closed row becomes active.
   */
  async function toggle(row: TreeRow, kind: TreeStep['kind']): Promise<void> {
    const before = cache?.rowCount ?? 0;
    const spot = await source.step({ kind, node: row.node }, order);
    const more = spot.rowCount - before;
    anchor.current = null;
    await refresh(null);
    if (active === null || active.position <= row.position) return;
    const hidden = more < 0 && active.position <= row.position - more;
    if (hidden) choose(row, row.position);
    else setAt({ ...active, position: active.position + more });
  }

  async function closeAll(): Promise<void> {
    await source.step({ kind: 'close-below', node: 0 }, order);
    await go(source.step({ kind: 'open', node: 0 }, order));
  }

  async function read(active: { readonly position: number } | null): Promise<readonly TreeRow[]> {
    const { chosen } = selection;
    const isOne = chosen === null && active !== null;
    const rows = await source.rows(isOne ? active.position : 0, isOne ? 1 : (cache?.rowCount ?? 0), order);
    const picked: TreeRow[] = [];
    for (let index = 0; index < rows.length; index++)
      if (chosen === null || chosen.flags[rows.node[index]!] === 1) picked.push(rowAt(rows, index));
    return picked;
  }

  return {
    cache,
    isOlder,
    onView,
    active,
    activeRow: active === null ? undefined : cache?.at(active.position),
    selection,
    select,
    busy: steps.busy || cache === null || isOlder,
    toggle: (row, kind) => steps.follow(toggle(row, kind)),
    toParent: (row) => steps.follow(go(source.step({ kind: 'parent', node: row.node }, order))),
    toName: (prefix, from) => steps.follow(go(source.find({ kind: 'name', prefix, from }, order))),
    toMatch: (step) => {
      if (matches === null) return;
      steps.follow(go(source.find({ kind: 'match', matches, from: active?.position ?? -1, step }, order)));
    },
    openHotPath: () => steps.follow(go(source.step({ kind: 'hot-path', node: active?.node ?? 0 }, order))),
    openBelow: () => {
      const row = active === null ? cache?.at(0) : cache?.of(active.node);
      if (row !== undefined && row.place.open !== null) steps.follow(toggle(row, 'open-below'));
    },
    closeAll: () => steps.follow(closeAll()),
    readChosen: () => read(active),
    readShown: () => read(null),
  };
}

/** Counts pending steps. Those of a previous tree are dropped with it, because they are never answered. */
function useSteps(source: TreeTableSource) {
  const [pending, setPending] = useState({ source, count: 0 });
  const follow = (step: Promise<void>): void => {
    setPending((now) => ({ source, count: (now.source === source ? now.count : 0) + 1 }));
    void step.finally(() => setPending((now) => (now.source === source ? { source, count: now.count - 1 } : now)));
  };
  return { busy: pending.source === source && pending.count > 0, follow };
}

/**
 * Moves to what was selected elsewhere, and to the selected row in a new order or tree; rows selected in the table
 * itself are already visible.
 */
function useFollowing(
  { source, order, selected }: TreeNavigationOptions,
  refresh: (around: number | null) => Promise<void>,
) {
  /** Position of the selected node. Only this table knows if the root is selected, since it is not a function. */
  const [at, setAt] = useState<TreePosition | null>(null);
  const followed = useRef<{ node: number | null; source: TreeTableSource | null; order: RowOrder | null }>({
    node: null,
    source: null,
    order: null,
  });
  const follow = useCallback(
    (node: number | null) => {
      followed.current = { node, source, order };
    },
    [source, order],
  );
  // Runs before the next key, so that the table's own selection is not mistaken for one made elsewhere.
  useLayoutEffect(() => {
    const last = followed.current;
    if (selected === last.node && source === last.source && order === last.order) return undefined;
    follow(selected);
    if (selected === null) return undefined;
    let current = true;
    const show = async (): Promise<void> => {
      const spot = await source.step({ kind: 'reveal', node: selected }, order);
      if (!current || spot.row < 0) return;
      await refresh(spot.row);
      setAt({ node: spot.node, position: spot.row });
    };
    void show();
    return () => {
      current = false;
    };
  }, [selected, source, order, follow, refresh]);
  return { at, setAt, follow };
}

/** A selection of several nodes of a tree, made with Ctrl, Shift and Ctrl+A. */
interface TreeSelection {
  readonly chosen: RowSet | null;
  readonly clear: () => void;
  readonly toggle: (node: number, alone: number | null) => void;
  /** Selects the rows between two positions, both included. */
  readonly range: (from: number, to: number) => void;
  readonly all: (rowCount: number) => void;
  readonly sums: () => ReturnType<TreeTableSource['sums']>;
}

function useTreeSelection(source: TreeTableSource, order: RowOrder): TreeSelection {
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
