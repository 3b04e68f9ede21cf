import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FrameRef } from '../../flame/graph.types.ts';
import type { TreeSpot, TreeStep } from '#core/analyze/tables/table-protocol.ts';
import type { MovedRows } from '../grid/grid.types.ts';
import type { SelectMode } from '../grid/row-selection.ts';
import { rowAt, type TreeRow, type TreeRowsCache } from './rows-cache.ts';
import { useTreeRows, type TreeTableSource } from './use-rows.ts';
import { useTreeSelection, type TreeSelection } from './use-selection.ts';
import { takeAnswer } from '../../take-answer.ts';

interface TreePosition {
  readonly node: number;
  readonly position: number;
  /** Another one for each selection, which scrolls into view; the same while the profile grows. */
  readonly key: number;
}

interface TreeNavigationOptions {
  readonly source: TreeTableSource;
  readonly order: RowOrder;
  readonly matches: Uint8Array | null;
  /** Opened and scrolled to if it was selected elsewhere. */
  readonly selected: CallNodeIndex | null;
  readonly onSelect: (frame: FrameRef) => void;
  /** Stays the same object while a profile grows, so that several selected rows stay selected; null if it does not. */
  readonly lineage: object | null;
}

/** The user's position in a call tree, and the actions from there. */
export interface TreeNavigation {
  /** Null until the first rows are loaded. */
  readonly cache: TreeRowsCache | null;
  /** True while the rows are those of the previous tree, which cannot be acted on. */
  readonly isOlder: boolean;
  /** See `useTreeRows`. */
  readonly moved: MovedRows | null;
  readonly onView: (first: number, count: number) => void;
  readonly active: TreePosition | null;
  /** The selected row, if it is loaded. */
  readonly activeRow: TreeRow | undefined;
  readonly selection: TreeSelection;
  readonly select: (position: number, mode: SelectMode) => void;
  /** Acts on a row; on one of the previous tree of a growing profile once it is found in the newest. */
  readonly withRow: (position: number, run: (row: TreeRow) => void) => void;
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
  const { source, order, matches, selected, lineage } = needs;
  const { cache, shown, isOlder, moved, onView, refresh } = useTreeRows(source, order, lineage);
  const selection = useTreeSelection(needs, shown);
  const steps = useSteps(source);
  const { at, setAt, follow } = useFollowing(needs, refresh);
  const active = at !== null && (selected !== null || at.node === 0) ? at : null;
  /** Where a range selection starts, in this tree. */
  const anchor = useRef<{ readonly position: number; readonly source: TreeTableSource } | null>(null);
  const setAnchor = (position: number): void => {
    anchor.current = { position, source };
  };

  function choose(row: { readonly node: number; readonly func: number }, position: number): void {
    // The root is not a function, so choosing it selects nothing elsewhere.
    follow(row.func < 0 ? null : row.node);
    setAt((last) => ({ node: row.node, position, key: (last?.key ?? 0) + 1 }));
    needs.onSelect(frameOf(row));
  }

  async function go(ask: Promise<TreeSpot>): Promise<void> {
    const spot = await ask;
    if (spot.row < 0) return;
    await refresh(spot.row);
    selection.clear();
    setAnchor(spot.row);
    choose(spot, spot.row);
  }

  function selectRow(row: TreeRow, mode: SelectMode): void {
    const from = anchor.current?.source === source ? anchor.current.position : active?.position;
    if (mode === 'range') selection.range(from ?? row.position, row.position);
    else {
      setAnchor(row.position);
      if (mode === 'toggle') selection.toggle(row.node, active?.node ?? null);
      else selection.clear();
    }
    choose(row, row.position);
  }

  async function sameRow({ node }: TreeRow): Promise<TreeRow | null> {
    const paths = (await shown?.paths(Int32Array.of(node))) ?? null;
    const [same = -1] = paths === null ? [] : await source.nodes(paths);
    if (same < 0) return null;
    const spot = await source.step({ kind: 'reveal', node: same }, order);
    return rowAt(await source.rows(spot.row, 1, order), 0);
  }

  function withRow(position: number, run: (row: TreeRow) => void): void {
    const row = cache?.at(position);
    if (row === undefined) return;
    if (!isOlder) run(row);
    else if (lineage !== null) {
      const later = sameRow(row).then((same) => {
        if (same !== null) run(same);
      });
      steps.follow(later);
    }
  }

  function select(position: number, mode: SelectMode): void {
    if (isOlder || cache?.at(position) !== undefined) return withRow(position, (row) => selectRow(row, mode));
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
    const rows = await (shown ?? source).rows(isOne ? active.position : 0, isOne ? 1 : (cache?.rowCount ?? 0), order);
    const picked: TreeRow[] = [];
    for (let index = 0; index < rows.length; index++)
      if (chosen === null || chosen.flags[rows.node[index]!] === 1) picked.push(rowAt(rows, index));
    return picked;
  }

  return {
    cache,
    isOlder,
    moved,
    onView,
    active,
    activeRow: active === null ? undefined : cache?.at(active.position),
    selection,
    select,
    withRow,
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
  { source, order, selected, lineage }: TreeNavigationOptions,
  refresh: (around: number | null) => Promise<void>,
) {
  /** Position of the selected node. Only this table knows if the root is selected, since it is not a function. */
  const [at, setAt] = useState<TreePosition | null>(null);
  const followed = useRef<Partial<Pick<TreeNavigationOptions, 'selected' | 'source' | 'order' | 'lineage'>>>({
    selected: null,
  });
  const follow = useCallback(
    (node: number | null) => {
      followed.current = { selected: node as CallNodeIndex | null, source, order, lineage };
    },
    [source, order, lineage],
  );
  // Runs before the next key, so that the table's own selection is not mistaken for one made elsewhere.
  useLayoutEffect(() => {
    const last = followed.current;
    if (selected === last.selected && source === last.source && order === last.order) return undefined;
    follow(selected);
    if (selected === null) return undefined;
    const hasGrown = last.selected !== null && source !== last.source && lineage !== null && lineage === last.lineage;
    return takeAnswer(source.step({ kind: 'reveal', node: selected }, order), ({ node, row: position }) => {
      if (position < 0) return;
      const show = (): void => setAt((now) => ({ node, position, key: (now?.key ?? 0) + (hasGrown ? 0 : 1) }));
      void refresh(hasGrown ? null : position).then(show);
    });
  }, [selected, source, order, lineage, follow, refresh]);
  return { at, setAt, follow };
}
