import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FrameRef } from '../flame/flame-graph.types.ts';
import type { TreeSpot, TreeStep } from '../../../core/analyze/tables/table-protocol.ts';
import type { SelectMode } from './row-selection.ts';
import { rowAt, type TreeRow, type TreeRowsCache } from './tree-rows-cache.ts';
import { useTreeRows, type TreeTableSource } from './use-tree-rows.ts';
import { useTreeSelection, type TreeSelection } from './use-tree-selection.ts';

interface TreePosition {
  readonly node: number;
  readonly position: number;
}

interface TreeNavigationNeeds {
  readonly source: TreeTableSource;
  readonly order: RowOrder;
  readonly matches: Uint8Array | null;
  /** Opened and scrolled to where it comes from elsewhere. */
  readonly selected: CallNodeIndex | null;
  readonly onSelect: (frame: FrameRef) => void;
}

/** Where the user is in a call tree, and the ways from there. */
export interface TreeNavigation {
  /** Null until the first rows are there. */
  readonly cache: TreeRowsCache | null;
  /** Its rows are of the tree before, and nothing can be done with them. */
  readonly isOlder: boolean;
  readonly onView: (first: number, count: number) => void;
  readonly active: TreePosition | null;
  /** The selected row, where it is at hand. */
  readonly activeRow: TreeRow | undefined;
  readonly selection: TreeSelection;
  readonly select: (position: number, mode: SelectMode) => void;
  readonly toggle: (row: TreeRow, kind: TreeStep['kind']) => void;
  readonly toParent: (row: TreeRow) => void;
  /** To the next row from `from` on whose name begins so. */
  readonly toName: (prefix: string, from: number) => void;
  readonly toMatch: (step: 1 | -1) => void;
  readonly openHotPath: () => void;
  readonly openBelow: () => void;
  readonly closeAll: () => void;
  /** The first rows or a step are on their way; rows and the selected one are those before it. */
  readonly busy: boolean;
  /** The chosen rows in the order of the table; the selected one where none are; all where nothing is selected. */
  readonly readChosen: () => Promise<readonly TreeRow[]>;
}

export const frameOf = ({ node, func }: { readonly node: number; readonly func: number }): FrameRef => ({
  node: node as CallNodeIndex,
  func: func < 0 ? null : (func as FunctionIndex),
});

export function useTreeNavigation(needs: TreeNavigationNeeds): TreeNavigation {
  const { source, order, matches, selected } = needs;
  const { cache, isOlder, onView, refresh } = useTreeRows(source, order);
  const selection = useTreeSelection(source, order);
  const steps = useSteps(source);
  const { at, setAt, follow } = useFollowing(needs, refresh);
  const active = at !== null && (selected !== null || at.node === 0) ? at : null;
  /** Where a range of chosen rows begins. */
  const anchor = useRef<number | null>(null);

  function choose(row: { readonly node: number; readonly func: number }, position: number): void {
    // The root is no function: picking it is picking none.
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
    // A row that is on its way has no name yet: it is asked for alone.
    const asked = source.rows(position, 1, order).then((rows) => {
      if (rows.length > 0) selectRow(rowAt(rows, 0), mode);
    });
    steps.follow(asked);
  }

  /** Opens or closes; the selected row keeps its place on the screen, or what closed over it takes its part. */
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

  async function readChosen(): Promise<readonly TreeRow[]> {
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
    readChosen,
  };
}

/** Steps on their way. Those of an older tree end with it, for they are never answered. */
function useSteps(source: TreeTableSource) {
  const [pending, setPending] = useState({ source, count: 0 });
  const follow = (step: Promise<void>): void => {
    setPending((now) => ({ source, count: (now.source === source ? now.count : 0) + 1 }));
    void step.finally(() => setPending((now) => (now.source === source ? { source, count: now.count - 1 } : now)));
  };
  return { busy: pending.source === source && pending.count > 0, follow };
}

/** Goes to what is selected elsewhere, and to the selected row in a new order or tree; what the table itself selects is in view. */
function useFollowing(
  { source, order, selected }: TreeNavigationNeeds,
  refresh: (around: number | null) => Promise<void>,
) {
  /** Where the selected node is; the root is no function, so nobody else knows that it is selected. */
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
  // Before the next key: its own row must not be taken for one that was selected elsewhere.
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
