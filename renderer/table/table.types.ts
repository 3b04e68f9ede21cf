import type { FunctionStats } from '#core/analyze/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ViewPoint, WeightFormat } from '../flame/flame-graph.types.ts';

interface ColumnBase {
  readonly id: string;
  readonly header: string;
  /** Initial width in CSS pixels; the first text column takes what is left. */
  readonly width: number;
  readonly minWidth: number;
}

/** Untrusted text, shown as text. `text` is asked for visible rows, for sorting and for filtering. */
export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  readonly mono: boolean;
  readonly align: 'left' | 'right';
  /** Typed in the filter box, the column counts. */
  readonly filtered: boolean;
  readonly text: (row: number) => string;
}

export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Float64Array;
  readonly format: (value: number) => string;
  /** Draws a bar of value ÷ barWhole before the number. */
  readonly barWhole?: number;
}

export type Column = TextColumn | NumberColumn;

export interface SortOrder {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
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
  readonly initialSort: SortOrder;
  /** Controlled where given together with `onFilterChange`. */
  readonly filter?: string;
  readonly onFilterChange?: (filter: string) => void;
  readonly selectedRow: number | null;
  /** New columns leave the scroll position alone, wherever the selected row goes: for data that refreshes by itself. */
  readonly keepScroll?: boolean;
  readonly onSelectRow: (row: number) => void;
  /** Enter or double click. */
  readonly onActivateRow?: (row: number) => void;
  readonly onContextMenu?: (row: number, point: ViewPoint) => void;
}

/** Names by function index (→ profile.functions). */
export interface FunctionNames {
  readonly name: (func: FunctionIndex) => string;
  readonly module: (func: FunctionIndex) => string;
}

/** The cumulative table: Function, Self, Self %, Total, Total %, Module. */
export interface FunctionTableProps {
  /** Columns so narrow that function, self and total fit beside a graph, in about 510 px. */
  readonly narrow?: boolean;
  /** Keep identity of `stats`, `names` and `format` while they stay the same. */
  readonly stats: FunctionStats;
  readonly names: FunctionNames;
  /** Weight of the whole view: 100 %. */
  readonly totalWeight: number;
  readonly format: WeightFormat;
  readonly selected: FunctionIndex | null;
  readonly onSelect: (func: FunctionIndex) => void;
  readonly onActivate?: (func: FunctionIndex) => void;
  readonly onContextMenu?: (func: FunctionIndex, point: ViewPoint) => void;
  readonly filter?: string;
  readonly onFilterChange?: (filter: string) => void;
}
