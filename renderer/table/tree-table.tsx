import { useCallback, useEffect, useMemo, useRef, useState, type JSX, type KeyboardEvent } from 'react';
import type { TableLayout } from '#core/contract/settings.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { useKeymap } from '../keys/use-keymap.ts';
import type { FrameRef, ViewPoint } from '../flame/flame-graph.types.ts';
import type { TreeSpot, TreeStep } from '../worker/table-protocol.ts';
import { chosenColumns, useColumnWidths, withColumn } from './column-widths.ts';
import { GridView, type GridHandle } from './grid-view.tsx';
import { nextSort } from './row-order.ts';
import type { SelectMode } from './row-selection.ts';
import { tsvText } from './table-export.ts';
import { SelectionText, TableFooter } from './table-footer.tsx';
import type { TableFormat } from './table-format.ts';
import type { FunctionTexts, SortOrder } from './table.types.ts';
import { NARROW_TREE_COLUMNS, OWN_TREE_COLUMNS, treeColumns, treeExport, treeOrder } from './tree-columns.ts';
import { rowAt as readRow, type TreeRow } from './tree-rows-cache.ts';
import { TreeToolbar } from './tree-toolbar.tsx';
import { createTypeAhead } from './type-ahead.ts';
import { useTreeRows, type TreeTableSource } from './use-tree-rows.ts';
import { useTreeSelection } from './use-tree-selection.ts';

interface TreePosition {
  readonly node: number;
  readonly position: number;
}

export interface TreeTableProps {
  /** Which tree: `Call tree, bottom-up`. For screen readers. */
  readonly label: string;
  readonly narrow: boolean;
  readonly source: TreeTableSource;
  readonly texts: FunctionTexts;
  readonly totalWeight: number;
  readonly format: TableFormat;
  readonly matches: Uint8Array | null;
  /** Opened and scrolled to where it comes from elsewhere. */
  readonly selected: CallNodeIndex | null;
  readonly onSelect: (frame: FrameRef) => void;
  /** Enter and double click. */
  readonly onActivate: (frame: FrameRef) => void;
  readonly onContextMenu: (frame: FrameRef, point: ViewPoint) => void;
  readonly sort: SortOrder;
  readonly onSort: (sort: SortOrder) => void;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly onCopy: (tsv: string) => void;
}

const frameOf = ({ node, func }: { readonly node: number; readonly func: number }): FrameRef => ({
  node: node as CallNodeIndex,
  func: func < 0 ? null : (func as FunctionIndex),
});

/** The call tree that the graph draws, as rows: also what a screen reader has of the graph. */
export function TreeTable(props: TreeTableProps): JSX.Element {
  const { source, texts, totalWeight, format, matches, narrow, layout, selected, sort } = props;
  const order = useMemo(() => treeOrder(sort), [sort]);
  const { cache, onView, refresh } = useTreeRows(source, order);
  const selection = useTreeSelection(source, order);
  const { chosen } = selection;
  const grid = useRef<GridHandle>(null);
  const keymap = useKeymap();
  const typeAhead = useMemo(() => createTypeAhead(), []);
  /** Where the selected node is; the root is no function, so nobody else knows that it is selected. */
  const [at, setAt] = useState<TreePosition | null>(null);
  const active = at !== null && (selected !== null || at.node === 0) ? at : null;
  const anchor = useRef<number | null>(null);

  const rowOf = useCallback((node: number) => cache?.of(node), [cache]);
  const all = useMemo(
    () => treeColumns({ rowOf, texts, totalWeight, format, matches, narrow }),
    [rowOf, texts, totalWeight, format, matches, narrow],
  );
  const columns = useMemo(
    () => chosenColumns(all, narrow ? NARROW_TREE_COLUMNS : OWN_TREE_COLUMNS, layout),
    [all, layout, narrow],
  );
  const widths = useColumnWidths(columns, layout, props.onLayout);
  const ids = columns.map(({ id }) => id);

  const goTo = useCallback(
    async (spot: TreeSpot) => {
      if (spot.row < 0) return;
      await refresh(spot.row);
      setAt({ node: spot.node, position: spot.row });
    },
    [refresh],
  );
  /** Nodes and orders that were followed already: what the table itself selects is in view. */
  const followed = useRef<{ node: number | null; source: TreeTableSource | null; order: unknown }>({
    node: null,
    source: null,
    order: null,
  });
  useEffect(() => {
    const last = followed.current;
    if (selected === last.node && source === last.source && order === last.order) return undefined;
    followed.current = { node: selected, source, order };
    if (selected === null) return undefined;
    let current = true;
    source.step({ kind: 'reveal', node: selected }, order).then(
      (spot) => {
        if (current) void goTo(spot);
      },
      () => null,
    );
    return () => {
      current = false;
    };
  }, [selected, source, order, goTo]);

  function choose(row: { readonly node: number; readonly func: number }, position: number): void {
    // The root is no function: picking it is picking none.
    followed.current = { node: row.func < 0 ? null : row.node, source, order };
    setAt({ node: row.node, position });
    props.onSelect(frameOf(row));
  }

  async function go(ask: Promise<TreeSpot>): Promise<void> {
    const spot = await ask;
    if (spot.row < 0) return;
    await refresh(spot.row);
    selection.clear();
    anchor.current = spot.row;
    choose(spot, spot.row);
  }

  function select(position: number, mode: SelectMode): void {
    const row = cache?.at(position);
    // A row that is on its way has no name yet: it is asked for alone.
    if (row === undefined) {
      void source.rows(position, 1, order).then((rows) => {
        if (rows.length > 0) selectRow(readRow(rows, 0), mode);
      });
    } else selectRow(row, mode);
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

  const toggleAt = (position: number, below: boolean): void => {
    const row = cache?.at(position);
    if (row === undefined || row.place.open === null) return;
    void toggle(row, row.place.open ? (below ? 'close-below' : 'close') : below ? 'open-below' : 'open');
  };

  const findMatch = (step: 1 | -1): void => {
    if (matches === null) return;
    void go(source.find({ kind: 'match', matches, from: active?.position ?? -1, step }, order));
  };
  const hotPath = (): void => {
    void go(source.step({ kind: 'hot-path', node: active?.node ?? 0 }, order));
  };
  const openBelow = (): void => {
    const row = active === null ? cache?.at(0) : cache?.of(active.node);
    if (row !== undefined && row.place.open !== null) void toggle(row, 'open-below');
  };
  const closeAll = (): void => {
    void (async () => {
      await source.step({ kind: 'close-below', node: 0 }, order);
      await go(source.step({ kind: 'open', node: 0 }, order));
    })();
  };
  const copy = (): void => {
    void (async () => {
      const count = cache?.rowCount ?? 0;
      const from = chosen === null && active !== null ? active.position : 0;
      const rows = await source.rows(from, chosen === null && active !== null ? 1 : count, order);
      const picked: TreeRow[] = [];
      for (let index = 0; index < rows.length; index++)
        if (chosen === null || chosen.flags[rows.node[index]!] === 1) picked.push(readRow(rows, index));
      props.onCopy(tsvText(treeExport(picked, props), picked.keys()));
    })();
  };

  function onKey(event: KeyboardEvent): boolean {
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && key === 'c') return done(copy);
    if (key === 'Escape' && chosen !== null) return done(selection.clear);
    if (key === 'F3') return done(() => findMatch(event.shiftKey ? -1 : 1));
    if (event.ctrlKey || event.metaKey) return false;
    const row = active === null ? undefined : cache?.at(active.position);
    if (key === 'ArrowRight' && event.shiftKey) return done(hotPath);
    if (key === 'ArrowRight' && row !== undefined) {
      if (row.place.open === false) void toggle(row, event.altKey ? 'open-below' : 'open');
      else if (row.place.open === true && !event.altKey) select(row.position + 1, 'one');
      return true;
    }
    if (key === 'ArrowLeft' && row !== undefined) {
      if (row.place.open === true) void toggle(row, event.altKey ? 'close-below' : 'close');
      else if (row.node !== 0) void go(source.step({ kind: 'parent', node: row.node }, order));
      return true;
    }
    if (event.altKey) return false;
    if (keymap.at('table', event) === 'table.open-below') return done(openBelow);
    if (key.length !== 1 || key === ' ') return false;
    const prefix = typeAhead.type(key, performance.now());
    // The first letter goes on to the next row, further ones may stay.
    const from = (active?.position ?? -1) + (prefix.length === 1 ? 1 : 0);
    void go(source.find({ kind: 'name', prefix, from: Math.max(0, from) }, order));
    return true;
  }

  const rowCount = cache?.rowCount ?? 0;
  const nodeAt = useCallback((position: number) => cache?.at(position)?.node ?? -1, [cache]);
  const withRow = (position: number, run: (row: TreeRow) => void): void => {
    const row = cache?.at(position);
    if (row !== undefined) run(row);
  };
  return (
    <div className="data-table">
      <TreeToolbar
        all={all}
        shown={ids}
        layout={layout}
        onLayout={props.onLayout}
        hasMatches={matches !== null}
        onMatch={findMatch}
        onHotPath={hotPath}
        onOpenBelow={openBelow}
        onCloseAll={closeAll}
        onCopy={copy}
        countText={`${format.count(rowCount)} of ${format.count(source.length)} rows open`}
      />
      <GridView
        handle={grid}
        label={props.label}
        kind="treegrid"
        columns={columns}
        widths={widths}
        sort={sort}
        onSort={(column) => props.onSort(nextSort(sort, column))}
        onMoveColumn={(column, by) => props.onLayout({ ...layout, columns: withColumn(ids, column.id, by) })}
        rowCount={rowCount}
        rowAt={nodeAt}
        onView={onView}
        placeOf={(node) => cache?.of(node)?.place ?? null}
        activePosition={active?.position ?? -1}
        activeKey={active?.node ?? null}
        keepScroll={false}
        multiple
        isSelected={(node) => (chosen === null ? node === active?.node : chosen.flags[node] === 1)}
        onSelect={select}
        onSelectAll={() => selection.all(rowCount)}
        onActivate={(position) => withRow(position, (row) => props.onActivate(frameOf(row)))}
        onToggle={toggleAt}
        onContextMenu={(position, point) => withRow(position, (row) => props.onContextMenu(frameOf(row), point))}
        onKey={onKey}
        empty="No samples."
      />
      <TableFooter>
        {chosen !== null && chosen.count > 1 ? (
          <SelectionText
            count={chosen.count}
            noun="rows"
            totalWeight={totalWeight}
            format={format}
            ask={selection.sums}
          />
        ) : (
          <span>
            all <b className="mono">{format.value(totalWeight)}</b>
          </span>
        )}
      </TableFooter>
    </div>
  );
}

function done(run: () => void): true {
  run();
  return true;
}
