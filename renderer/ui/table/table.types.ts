import type { TableLayout } from '#core/contract/settings.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { ViewPoint } from '../flame/flame-graph.types.ts';

export type Tone = 'grew' | 'shrank' | 'plain' | 'dim';

interface ColumnBase {
  readonly id: string;
  readonly header: string;
  /** What the header's few letters stand for. */
  readonly title?: string;
  /** Initial width in CSS pixels; the first column takes what is left. */
  readonly width: number;
  readonly minWidth: number;
  /** False: its header is no button. */
  readonly sortable?: false;
  /** A colour that goes with what the text says. */
  readonly tone?: (row: number) => Tone;
  /** `#rrggbb` of a line before the text, as the graph has it; null: none. */
  readonly colour?: (row: number) => string | null;
}

/** Untrusted text, shown as text. `text` is asked for visible rows, for sorting and for filtering. */
export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  readonly mono: boolean;
  readonly align: 'left' | 'right';
  /** Typed in the filter box, the column counts. */
  readonly filtered: boolean;
  readonly text: (row: number) => string;
  /** Each row's place in the order of the texts, where that is known: numbers sort faster. */
  readonly ranks?: () => Float64Array;
  /** Rows whose text the search found. */
  readonly isMatch?: (row: number) => boolean;
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly value: (row: number) => number;
  /** What `value` says of each row, where it is at hand: sorting then asks for none. */
  readonly values?: Float64Array;
  /** Also told the row, for what its number stands for in the order only. */
  readonly format: (value: number, row: number) => string;
  /** For the tooltip, where it says more than `format`. */
  readonly exact?: (value: number, row: number) => string;
  /** Draws a bar of value ÷ barWhole before the number. */
  readonly barWhole?: number;
  /** Draws a bar of value ÷ whole before the number, to the left of a middle line where the value is below 0; coloured by the tone. */
  readonly swing?: { readonly value: (row: number) => number; readonly whole: number };
}

/** A row of a tree: what `aria-level`, `aria-posinset`, `aria-setsize` and `aria-expanded` say. */
export interface TreePlace {
  /** 1: the root. */
  readonly level: number;
  readonly place: number;
  readonly siblings: number;
  /** Null for leaves. */
  readonly open: boolean | null;
  readonly hot: boolean;
}

/** Names in a tree, indented, with what opens and closes. */
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

/** Several chosen rows; `flags` is 1 at each. */
export interface RowSet {
  readonly flags: Uint8Array;
  readonly count: number;
}

export const OWN_LAYOUT: TableLayout = { columns: null, widths: [] };

export interface DataTableHandle {
  /** The rows that show, in their order. */
  readonly shown: () => Int32Array;
  /** Keys go to the rows. */
  readonly focus: () => void;
}

/** A virtualised, sortable grid over columns. Rows are indices 0 … rowCount − 1; none becomes an object. */
export interface DataTableProps {
  /** For screen readers. */
  readonly label: string;
  /** What rows are: `functions`. */
  readonly rowNoun: string;
  readonly rowCount: number;
  /** Keep identity while the data stays: a new array sorts and filters anew. */
  readonly columns: readonly Column[];
  /** Columns to sort by, also those that don't show; left out: `columns`. */
  readonly sortable?: readonly Column[];
  readonly initialSort: SortOrder;
  /** Controlled where given together with `onSort`. */
  readonly sort?: SortOrder;
  readonly onSort?: (sort: SortOrder) => void;
  readonly layout?: TableLayout;
  readonly onLayout?: (layout: TableLayout) => void;
  /** What stands above the rows in place of the plain filter. */
  readonly toolbar?: ReactNode;
  readonly footer?: ReactNode;
  /** Where filters leave nothing: why that may be. */
  readonly emptyHint?: string;
  /** Filled with what can be asked of the table. */
  readonly handle?: Ref<DataTableHandle>;
  /** 1 per row that shows; null: all. Keep its identity. */
  readonly kept?: Uint8Array | null;
  readonly selectedRow: number | null;
  /** Where given, several rows can be chosen. */
  readonly onSelectRows?: (rows: RowSet | null) => void;
  readonly selectedRows?: RowSet | null;
  /** New columns leave the scroll position alone, wherever the selected row goes: for data that refreshes by itself. */
  readonly keepScroll?: boolean;
  readonly onSelectRow: (row: number) => void;
  /** Enter or double click. */
  readonly onActivateRow?: (row: number) => void;
  /** The pointer is over another row; null: over none. */
  readonly onHoverRow?: (row: number | null) => void;
  readonly onContextMenu?: (row: number, point: ViewPoint) => void;
  /** Ctrl+C: the chosen rows in the order of the table, or the selected one. */
  readonly onCopy?: (rows: Int32Array) => void;
  /** Before the table's own keys; true: handled. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
}

/** Texts by function index (→ the view's functions). */
export interface FunctionTexts {
  readonly name: (func: FunctionIndex) => string;
  /** With its folders. */
  readonly module: (func: FunctionIndex) => string;
  /** Equal for functions of one module. */
  readonly moduleId: (func: FunctionIndex) => number;
  /** `file:line`. */
  readonly source: (func: FunctionIndex) => string;
  readonly kind: (func: FunctionIndex) => string;
  /** `#rrggbb`, as the graph beside has it. Absent: there is none. */
  readonly colour?: (func: FunctionIndex) => string;
}
