import type { TableLayout } from '#core/contract/settings-schema.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { Pin } from '../pin.ts';
import type { ViewPoint } from '../flame/graph.types.ts';

export type CellTone = 'grew' | 'shrank' | 'plain' | 'dim';

interface ColumnBase {
  readonly id: string;
  readonly header: string;
  /** Meaning of the abbreviated header. */
  readonly title?: string;
  /** Initial width in CSS pixels; the first column takes the remaining width. */
  readonly width: number;
  readonly minWidth: number;
  /** If false, the header is not a button. */
  readonly sortable?: false;
  /** Returns a colour that supports the text's meaning. */
  readonly tone?: (row: number) => CellTone;
  /** Returns the pins after the text; absent if there are none. */
  readonly pins?: (row: number) => readonly Pin[];
  /** Returns the colour of a line before the text, as in the graph, as `#rrggbb`; null for none. */
  readonly colour?: (row: number) => string | null;
}

/** Untrusted text, shown as text. `text` is called for visible rows, for sorting and for filtering. */
export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  readonly mono: boolean;
  readonly align: 'left' | 'right';
  /** True if the filter field searches this column. */
  readonly filtered: boolean;
  readonly text: (row: number) => string;
  /** Returns each row's rank among the texts, if known; sorting numbers is faster. */
  readonly ranks?: () => Float64Array;
  /** Returns whether the search matches the row's text. */
  readonly isMatch?: (row: number) => boolean;
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly value: (row: number) => number;
  /** The results of `value` by row, if available; sorting then does not call it. */
  readonly values?: Float64Array;
  /** Numbers by row that order rows of equal value, largest first; absent: they keep their order. */
  readonly ties?: Float64Array;
  /** Receives the row as well, for numbers that only determine the order. */
  readonly format: (value: number, row: number) => string;
  /** Returns the tooltip, if it says more than `format`. */
  readonly exact?: (value: number, row: number) => string;
  /** Draws a bar of value ÷ barWhole before the number. */
  readonly barWhole?: number;
  /**
   * Draws a bar of value ÷ whole before the number, to the left of a middle line for values below 0, coloured by the
   * tone.
   */
  readonly swing?: { readonly value: (row: number) => number; readonly whole: number };
}

/** The place of a row in a tree, for `aria-level`, `aria-posinset`, `aria-setsize` and `aria-expanded`. */
export interface TreePlace {
  /** 1 is the root. */
  readonly level: number;
  readonly place: number;
  readonly siblings: number;
  /** Null for leaves. */
  readonly open: boolean | null;
  readonly hot: boolean;
}

/** Names in a tree, indented, with their triangles. */
export interface TreeColumn extends ColumnBase {
  readonly kind: 'tree';
  readonly text: (row: number) => string;
  readonly isMatch: (row: number) => boolean;
}

export type Column = TextColumn | NumberColumn | TreeColumn;

export interface SortOrder {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** A set of selected rows; `flags` is 1 for each. */
export interface RowSet {
  readonly flags: Uint8Array;
  readonly count: number;
}

/** Rows of a table as they are on screen. */
export interface ShownTable {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: Int32Array;
}

/** Forms in which the shown rows are copied, besides tab-separated text. */
export type CopyForm = 'md' | 'png';

export const OWN_LAYOUT: TableLayout = { columns: null, widths: [] };

export interface DataTableHandle {
  /** Returns the visible rows in order. */
  readonly shown: () => Int32Array;
  /** Moves the focus to the rows. */
  readonly focus: () => void;
}

/**
 * Properties of a virtualised, sortable grid over columns. Rows are indices 0 … rowCount − 1; they are never objects.
 */
export interface DataTableProps {
  /** Label for screen readers. */
  readonly label: string;
  /** Plural noun for rows: `functions`. */
  readonly rowNoun: string;
  readonly rowCount: number;
  /** Keep its identity while the data is unchanged: a new array sorts and filters again. */
  readonly columns: readonly Column[];
  /** Columns to sort by, including hidden ones; defaults to `columns`. */
  readonly sortable?: readonly Column[];
  readonly initialSort: SortOrder;
  /** Controlled if given together with `onSort`. */
  readonly sort?: SortOrder;
  readonly onSort?: (sort: SortOrder) => void;
  readonly layout?: TableLayout;
  readonly onLayout?: (layout: TableLayout) => void;
  /** Shown above the rows instead of the plain filter. */
  readonly toolbar?: ReactNode;
  readonly footer?: ReactNode;
  /** Shown if there are no rows, as while they are being read. */
  readonly emptyText?: string;
  /** Shown if filters leave no rows: the possible reason. */
  readonly emptyHint?: string;
  /** Receives the table's actions. */
  readonly handle?: Ref<DataTableHandle>;
  /** 1 per visible row, else 0; null if all are visible. Keep its identity. */
  readonly kept?: Uint8Array | null;
  /** Returns what identifies a row's content in newer data of the same lineage as well; its number if absent. */
  readonly keyOf?: (row: number) => number;
  readonly lineage?: object | null;
  readonly selectedRow: number | null;
  /** If given, several rows can be selected. */
  readonly onSelectRows?: (rows: RowSet | null) => void;
  readonly selectedRows?: RowSet | null;
  /**
   * True if new columns keep the scroll position wherever the selected row goes, for data that refreshes automatically.
   */
  readonly keepScroll?: boolean;
  readonly onSelectRow: (row: number) => void;
  /** Called on Enter or a double click. */
  readonly onActivateRow?: (row: number) => void;
  /** Called on a middle-click or Ctrl-click; Ctrl+Shift-click then adds rows to the selection. */
  readonly onOpenNewRow?: ((row: number) => void) | undefined;
  /** Called when the pointer is over another row; null if over none. */
  readonly onHoverRow?: (row: number | null) => void;
  readonly onContextMenu?: (row: number, point: ViewPoint) => void;
  /** Called on Ctrl+C with the selected rows in the table's order. */
  readonly onCopy?: (rows: Int32Array) => void;
  /** Handles keys before the table does; returns true if it handled one. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

/** Returns texts of the view's functions, by function index. */
export interface FunctionTexts {
  readonly name: (func: FunctionIndex) => string;
  /** Returns the module with its folders. */
  readonly module: (func: FunctionIndex) => string;
  /** Returns the same ID for all functions of a module. */
  readonly moduleId: (func: FunctionIndex) => number;
  /** Returns `file:line`. */
  readonly source: (func: FunctionIndex) => string;
  readonly kind: (func: FunctionIndex) => string;
  /** Returns the pins on a function or on a row of the call tree; absent if there are none. */
  readonly pins?: (func: FunctionIndex, node: number | null) => readonly Pin[];
  /** Returns the graph's colour of the function as `#rrggbb`; absent if there is none. */
  readonly colour?: (func: FunctionIndex) => string;
}
