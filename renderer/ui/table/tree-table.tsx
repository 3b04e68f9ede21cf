import { useCallback, useMemo, useState, type JSX } from 'react';
import type { TableLayout } from '#core/contract/settings.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FrameRef, ViewPoint } from '../flame/flame-graph.types.ts';
import type { ShortcutId } from '../keys/shortcuts.ts';
import { useKeymap } from '../keys/use-keymap.ts';
import { chosenColumns, useColumnWidths, withColumn } from './column-widths.ts';
import { GridView } from './grid-view.tsx';
import { nextSort } from './row-order.ts';
import { tsvText } from './table-export.ts';
import { SelectionText, TableFooter } from './table-footer.tsx';
import type { TableFormat } from './table-format.ts';
import type { Column, FunctionTexts, SortOrder } from './table.types.ts';
import { NARROW_TREE_COLUMNS, OWN_TREE_COLUMNS, treeColumns, treeExport, treeOrder } from './tree-columns.ts';
import { pressTreeKey } from './tree-keys.ts';
import type { TreeRow, TreeRowsCache } from './tree-rows-cache.ts';
import { TreeToolbar } from './tree-toolbar.tsx';
import { createTypeAhead } from './type-ahead.ts';
import { frameOf, useTreeNavigation } from './use-tree-navigation.ts';
import type { TreeTableSource } from './use-tree-rows.ts';

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
  /** Keys that transform what is shown, about the selected row. */
  readonly onCommand: (id: ShortcutId) => void;
}

/** The call tree that the graph draws, as rows: also what a screen reader has of the graph. */
export function TreeTable(props: TreeTableProps): JSX.Element {
  const { layout, sort } = props;
  const order = useMemo(() => treeOrder(sort), [sort]);
  const tree = useTreeNavigation({ ...props, order });
  const { cache, isOlder, active, selection } = tree;
  const { chosen } = selection;
  const meaning = useRowMeaning(props, isOlder);
  const { length, totalWeight, format, matches } = meaning;
  const { all, columns } = useTreeColumns(meaning, props, cache);
  const widths = useColumnWidths(columns, layout, props.onLayout);
  const ids = columns.map(({ id }) => id);
  const keymap = useKeymap();
  const typeAhead = useMemo(() => createTypeAhead(), []);
  const copy = (): void => {
    void tree.readChosen().then((rows) => {
      props.onCopy(tsvText(treeExport(rows, props), rows.keys()));
    });
  };
  const rowCount = cache?.rowCount ?? 0;
  const nodeAt = useCallback((position: number) => cache?.at(position)?.node ?? -1, [cache]);
  const withRow = (position: number, run: (row: TreeRow) => void): void => {
    const row = isOlder ? undefined : cache?.at(position);
    if (row !== undefined) run(row);
  };
  return (
    <div className="data-table">
      <TreeToolbar
        columns={all}
        shownColumns={ids}
        layout={layout}
        onLayout={props.onLayout}
        hasMatches={matches !== null}
        onMatch={tree.toMatch}
        onHotPath={tree.openHotPath}
        onOpenBelow={tree.openBelow}
        onCloseAll={tree.closeAll}
        onCopyRows={copy}
        countText={`${format.count(rowCount)} of ${format.count(length)} rows open`}
      />
      <GridView
        label={props.label}
        kind="treegrid"
        columns={columns}
        widths={widths}
        sort={sort}
        onSort={(column) => props.onSort(nextSort(sort, column))}
        onMoveColumn={(column, by) => props.onLayout({ ...layout, columns: withColumn(ids, column.id, by) })}
        rowCount={rowCount}
        rowAt={nodeAt}
        onView={tree.onView}
        placeOf={(node) => cache?.of(node)?.place ?? null}
        activePosition={active?.position ?? -1}
        activeKey={active?.node ?? null}
        keepScroll={false}
        multiple
        isSelected={(node) => (chosen === null ? node === active?.node : chosen.flags[node] === 1)}
        onSelect={tree.select}
        onSelectAll={() => selection.all(rowCount)}
        onActivate={(position) => withRow(position, (row) => props.onActivate(frameOf(row)))}
        onToggle={(position, below) =>
          withRow(position, (row) => {
            if (row.place.open === null) return;
            const kind = row.place.open ? 'close' : 'open';
            tree.toggle(row, below ? `${kind}-below` : kind);
          })
        }
        onContextMenu={(position, point) => withRow(position, (row) => props.onContextMenu(frameOf(row), point))}
        busy={tree.busy}
        onKey={(event) => pressTreeKey(event, tree, { keymap, typeAhead, onCopy: copy, onCommand: props.onCommand })}
        empty="No samples."
      />
      <TableFooter>
        {chosen !== null && chosen.count > 1 ? (
          <SelectionText
            count={chosen.count}
            noun="row"
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

type RowMeaning = Pick<TreeTableProps, 'texts' | 'totalWeight' | 'format' | 'matches'> & { readonly length: number };

/** What rows are shown by. Those of the tree before keep theirs: by another's names and totals they would say what never was. */
function useRowMeaning({ source, texts, totalWeight, format, matches }: TreeTableProps, isOlder: boolean): RowMeaning {
  const { length } = source;
  const now = useMemo(
    () => ({ length, texts, totalWeight, format, matches }),
    [length, texts, totalWeight, format, matches],
  );
  const [kept, setKept] = useState(now);
  if (!isOlder && kept !== now) setKept(now);
  return isOlder ? kept : now;
}

function useTreeColumns(
  { texts, totalWeight, format, matches }: RowMeaning,
  { narrow, layout }: TreeTableProps,
  cache: TreeRowsCache | null,
): { all: readonly Column[]; columns: readonly Column[] } {
  const all = useMemo(
    () => treeColumns({ rowOf: (node) => cache?.of(node), texts, totalWeight, format, matches, narrow }),
    [cache, texts, totalWeight, format, matches, narrow],
  );
  const columns = useMemo(
    () => chosenColumns(all, narrow ? NARROW_TREE_COLUMNS : OWN_TREE_COLUMNS, layout),
    [all, layout, narrow],
  );
  return { all, columns };
}
