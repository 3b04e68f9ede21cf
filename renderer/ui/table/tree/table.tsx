import { useCallback, useMemo, useState, type JSX, type KeyboardEvent } from 'react';
import type { TableLayout } from '#core/contract/settings-schema.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FrameRef, ViewPoint } from '../../flame/graph.types.ts';
import type { ShortcutId } from '../../keys/shortcuts.ts';
import { useKeymap } from '../../keys/use-keymap.ts';
import { chosenColumns, useColumnWidths, withColumn } from '../grid/column-widths.ts';
import { GridView } from '../grid/view.tsx';
import { nextSort } from '../grid/row-order.ts';
import { csvText, tsvText } from '../export.ts';
import { SelectionText, TableFooter } from '../footer.tsx';
import type { TableFormat } from '../format.ts';
import type { Column, CopyForm, FunctionTexts, ShownTable, SortOrder } from '../table.types.ts';
import {
  NARROW_TREE_COLUMNS,
  OWN_TREE_COLUMNS,
  readTreeColumns,
  treeColumns,
  treeExport,
  treeOrder,
} from './columns.ts';
import type { TreeRowsCache } from './rows-cache.ts';
import { createTypeAhead, type TypeAhead } from './type-ahead.ts';
import { frameOf, useTreeNavigation, type TreeNavigation } from './use-navigation.ts';
import type { TreeTableSource } from './use-rows.ts';
import type { Keymap } from '../../keys/keymap.ts';
import { commandKey } from '../command-key.ts';
import { TableActions, TableButton, type TableActionsProps } from '../actions.tsx';

interface TreeTableProps {
  /** Describes the tree for screen readers: `Call tree, bottom-up`. */
  readonly label: string;
  readonly narrow: boolean;
  readonly source: TreeTableSource;
  readonly texts: FunctionTexts;
  readonly totalWeight: number;
  readonly format: TableFormat;
  readonly matches: Uint8Array | null;
  /** Opened and scrolled to if it was selected elsewhere. */
  readonly selected: CallNodeIndex | null;
  readonly onSelect: (frame: FrameRef) => void;
  /** Stays the same object while the profile only grows; null if it does not grow. */
  readonly lineage: object | null;
  /** Called on Enter and a double click. */
  readonly onActivate: (frame: FrameRef) => void;
  /** Called on a middle-click or Ctrl-click. */
  readonly onOpenNew?: ((frame: FrameRef) => void) | undefined;
  readonly onContextMenu: (frame: FrameRef, point: ViewPoint) => void;
  readonly sort: SortOrder;
  readonly onSort: (sort: SortOrder) => void;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly onCopy: (tsv: string) => void;
  /** Copies rows as they are on screen; absent where they cannot be. */
  readonly onCopyAs?: (form: CopyForm, table: ShownTable) => void;
  /** Receives the open rows below the lines that describe the view. */
  readonly onExport: (csv: (notes: readonly string[]) => string) => void;
  /** Called for keys that transform the view, for the selected row. */
  readonly onCommand: (id: ShortcutId) => void;
}

/** The graph's call tree as rows, which is also what screen readers read of it. */
export function TreeTableView(props: TreeTableProps): JSX.Element {
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
  const { onOpenNew } = props;
  const typeAhead = useMemo(() => createTypeAhead(), []);
  const copy = (): void => {
    void tree.readChosen().then((rows) => props.onCopy(tsvText(treeExport(rows, props), rows.keys())));
  };
  const copyAs = (form: CopyForm): void => {
    void tree.readShown().then((read) => {
      const shown = readTreeColumns(read, { ...props, shown: ids });
      props.onCopyAs?.(form, { label: props.label, columns: shown, rows: Int32Array.from(read.keys()) });
    });
  };
  const exportRows = (): void => {
    void tree.readShown().then((rows) => {
      props.onExport((notes) => csvText(notes, treeExport(rows, props), rows.keys()));
    });
  };
  const rowCount = cache?.rowCount ?? 0;
  const nodeAt = useCallback((position: number) => cache?.at(position)?.node ?? -1, [cache]);
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
        onCopyRows={(form) => (form === '' ? copy() : copyAs(form))}
        onExportRows={exportRows}
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
        activeKey={active?.key ?? null}
        keepScroll={false}
        moved={tree.moved}
        multiple
        isSelected={(node) => (chosen === null ? node === active?.node : chosen.flags[node] === 1)}
        onSelect={tree.select}
        onSelectAll={() => selection.all(rowCount)}
        onActivate={(position) => tree.withRow(position, (row) => props.onActivate(frameOf(row)))}
        onOpenNew={onOpenNew && ((position) => tree.withRow(position, (row) => onOpenNew(frameOf(row))))}
        onToggle={(position, below) =>
          tree.withRow(position, (row) => {
            if (row.place.open === null) return;
            const kind = row.place.open ? 'close' : 'open';
            tree.toggle(row, below ? `${kind}-below` : kind);
          })
        }
        onContextMenu={(position, point) => tree.withRow(position, (row) => props.onContextMenu(frameOf(row), point))}
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
            subject={selection.subject}
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

/**
 * Returns what rows refer to. Rows of the previous tree keep theirs, because another tree's names and totals would show
 * false values.
 */
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

interface TreeKeys {
  readonly keymap: Keymap;
  readonly typeAhead: TypeAhead;
  readonly onCopy: () => void;
  /** Runs a transform of the selected row. */
  readonly onCommand: (id: ShortcutId) => void;
}

/** Handles a key of the call tree's table; returns false if it has no effect of its own. */
export function pressTreeKey(event: KeyboardEvent, tree: TreeNavigation, keys: TreeKeys): boolean {
  const { key } = event;
  const control = event.ctrlKey || event.metaKey;
  const writes = key.length === 1 && key !== ' ' && !control && !event.altKey && keys.keymap.singleKeys;
  const command = commandKey(keys.keymap, event);
  const id = keys.keymap.at('table', event);
  if (writes && id === 'table.open-below') tree.openBelow();
  else if (writes && keys.typeAhead.goesOn(event.timeStamp)) goToName(event, tree, keys.typeAhead);
  else if (command !== null) keys.onCommand(command);
  else if (id === 'table.type') keys.typeAhead.begin(event.timeStamp);
  else if (control && key === 'c') keys.onCopy();
  else if (key === 'Escape' && tree.selection.chosen !== null) tree.selection.clear();
  else if (key === 'F3') tree.toMatch(event.shiftKey ? -1 : 1);
  else if (control) return false;
  else if (key === 'ArrowRight' && event.shiftKey) tree.openHotPath();
  else if (key === 'ArrowRight') goRight(event, tree);
  else if (key === 'ArrowLeft') goLeft(event, tree);
  else if (event.altKey) return false;
  else if (writes) goToName(event, tree, keys.typeAhead);
  else return false;
  return true;
}

/** Opens a row; in an open one, moves to its first child. With Alt, opens everything below. */
function goRight(event: KeyboardEvent, { activeRow: row, toggle, select }: TreeNavigation): void {
  if (row === undefined) return;
  if (event.altKey && row.place.open !== null) toggle(row, 'open-below');
  else if (row.place.open === false) toggle(row, 'open');
  else if (row.place.open === true) select(row.position + 1, 'one');
}

/** Closes an open row, with Alt everything below as well; otherwise moves to the parent. */
function goLeft(event: KeyboardEvent, { activeRow: row, toggle, toParent }: TreeNavigation): void {
  if (row === undefined) return;
  if (row.place.open === true) toggle(row, event.altKey ? 'close-below' : 'close');
  else if (row.node !== 0) toParent(row);
}

function goToName({ key, timeStamp }: KeyboardEvent, { active, toName }: TreeNavigation, typeAhead: TypeAhead): void {
  const prefix = typeAhead.type(key, timeStamp);
  // The first letter moves to the next row; further letters may match the current one.
  toName(prefix, (active?.position ?? -1) + (prefix.length === 1 || active === null ? 1 : 0));
}

interface TreeToolbarProps extends TableActionsProps {
  readonly hasMatches: boolean;
  readonly onMatch: (step: 1 | -1) => void;
  readonly onHotPath: () => void;
  readonly onOpenBelow: () => void;
  readonly onCloseAll: () => void;
  readonly countText: string;
}

/** The actions that open and close many rows at once. */
function TreeToolbar(props: TreeToolbarProps): JSX.Element {
  return (
    <div className="table-toolbar">
      <TableButton
        label="Hot path"
        title="Expand the heaviest path below the selected row (Shift+→)"
        onClick={props.onHotPath}
      />
      <TableButton
        label="Expand below"
        title="Expand everything below the selected row (*, or Alt+→)"
        onClick={props.onOpenBelow}
      />
      <TableButton label="Collapse all" title="Collapse all rows but the first" onClick={props.onCloseAll} />
      {props.hasMatches && (
        <>
          <TableButton
            label="‹ Match"
            title="Previous match, also in collapsed rows (Shift+F3)"
            onClick={() => props.onMatch(-1)}
          />
          <TableButton
            label="Match ›"
            title="Next match, also in collapsed rows (F3)"
            onClick={() => props.onMatch(1)}
          />
        </>
      )}
      <output className="table-count">{props.countText}</output>
      <TableActions {...props} />
    </div>
  );
}
