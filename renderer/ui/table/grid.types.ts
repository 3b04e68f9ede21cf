import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { ViewPoint } from '../flame/flame-graph.types.ts';
import type { ColumnWidths } from './column-widths.ts';
import type { SelectMode } from './row-selection.ts';
import type { Column, SortOrder, TreePlace } from './table.types.ts';

/** What a table can ask of its grid. */
export interface GridHandle {
  focus(): void;
  /** `orActive`: or only as far as the active row stays in view, where there is one. */
  scrollToTop(to: { readonly orActive: boolean }): void;
}

export interface GridViewProps {
  /** Filled with what the table can ask. */
  readonly handle?: Ref<GridHandle>;
  readonly label: string;
  readonly kind: 'grid' | 'treegrid';
  readonly columns: readonly Column[];
  readonly widths: ColumnWidths;
  readonly sort: SortOrder;
  readonly onSort: (column: Column) => void;
  /** By so many places to the right among the columns; left out: columns stay where they are. */
  readonly onMoveColumn?: ((column: Column, by: number) => void) | undefined;
  readonly rowCount: number;
  /** The row of the data at a position; −1: it is on its way. */
  readonly rowAt: (position: number) => number;
  /** Told of the positions in view. */
  readonly onView?: (first: number, count: number) => void;
  readonly placeOf?: (row: number) => TreePlace | null;
  /** Where keys begin; −1: nowhere. */
  readonly activePosition: number;
  /** What the active position stands for: it scrolls into view when this changes. */
  readonly activeKey: number | null;
  /** New data leaves the scroll position alone. */
  readonly keepScroll: boolean;
  readonly multiple: boolean;
  readonly isSelected: (row: number) => boolean;
  readonly onSelect: (position: number, mode: SelectMode) => void;
  readonly onSelectAll?: () => void;
  readonly onActivate?: ((position: number) => void) | undefined;
  /** The pointer is over another row; null: over none. */
  readonly onHover?: ((position: number | null) => void) | undefined;
  /** A press on a row's triangle. */
  readonly onToggle?: ((position: number, below: boolean) => void) | undefined;
  readonly onContextMenu?: ((position: number, point: ViewPoint) => void) | undefined;
  /** What the last key asked for is on its way: further ones wait for it. */
  readonly busy?: boolean;
  /** Keys before the grid's own; true where it was one of the table's. */
  readonly onKey?: ((event: KeyboardEvent) => boolean) | undefined;
  readonly empty: ReactNode;
}
