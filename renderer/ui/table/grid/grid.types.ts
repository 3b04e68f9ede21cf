import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { ViewPoint } from '../../flame/graph.types.ts';
import type { ColumnWidths } from './column-widths.ts';
import type { SelectMode } from './row-selection.ts';
import type { Column, SortOrder, TreePlace } from '../table.types.ts';

/** Actions that a table can request from its grid. */
export interface GridHandle {
  focus(): void;
  /** With `orActive`, scrolls only as far as keeps the active row visible, if there is one. */
  scrollToTop(to: { readonly orActive: boolean }): void;
}

/** Rows of new data that are elsewhere than in the data before. Each object is followed once. */
export interface MovedRows {
  /** By how many rows they are further down. */
  readonly rows: number;
}

export interface GridViewProps {
  /** Receives the grid's actions. */
  readonly handle?: Ref<GridHandle>;
  readonly label: string;
  readonly kind: 'grid' | 'treegrid';
  readonly columns: readonly Column[];
  readonly widths: ColumnWidths;
  readonly sort: SortOrder;
  readonly onSort: (column: Column) => void;
  /** Moves a column by so many positions to the right; absent if columns cannot be moved. */
  readonly onMoveColumn?: ((column: Column, by: number) => void) | undefined;
  readonly rowCount: number;
  /** Returns the row of the data at a position; −1 while it is loading. */
  readonly rowAt: (position: number) => number;
  /** Called with the visible positions. */
  readonly onView?: (first: number, count: number) => void;
  readonly placeOf?: (row: number) => TreePlace | null;
  /** Position at which keys start; −1 for none. */
  readonly activePosition: number;
  /** Identifies the content of the active position, which scrolls into view when this changes. */
  readonly activeKey: number | null;
  /** That of the rows, whose keys hold while it stays the same. */
  readonly lineage?: object | null;
  /** True if new data keeps the scroll position. */
  readonly keepScroll: boolean;
  /** Scrolls along with rows that have moved; null if none have. */
  readonly moved?: MovedRows | null;
  readonly multiple: boolean;
  readonly isSelected: (row: number) => boolean;
  readonly onSelect: (position: number, mode: SelectMode) => void;
  readonly onSelectAll?: () => void;
  readonly onActivate?: ((position: number) => void) | undefined;
  /** Called on a middle-click or Ctrl-click; Ctrl+Shift-click then adds rows to the selection. */
  readonly onOpenNew?: ((position: number) => void) | undefined;
  /** Called when the pointer is over another row; null if over none. */
  readonly onHover?: ((position: number | null) => void) | undefined;
  /** Called when a row's triangle is pressed. */
  readonly onToggle?: ((position: number, below: boolean) => void) | undefined;
  readonly onContextMenu?: ((position: number, point: ViewPoint) => void) | undefined;
  /** True while the result of the last key is loading; further keys wait for it. */
  readonly busy?: boolean;
  /** Handles keys before the grid does; returns true if it handled one. */
  readonly onKey?: ((event: KeyboardEvent) => boolean) | undefined;
  readonly empty: ReactNode;
}
