import type { TableLayout } from '#core/contract/settings-schema.ts';
import { useMemo, useState } from 'react';
import { OWN_LAYOUT, type Column } from '../table.types.ts';

/** Distance that an arrow key moves a column's edge. */
export const KEY_STEP_PX = 12;
const MAX_WIDTH_PX = 2000;

export interface ColumnWidths {
  /** A value of `grid-template-columns`. The first column takes the remaining width. */
  readonly template: string;
  /** Sum of the minimum widths. */
  readonly minTotal: number;
  readonly of: (column: Column) => number;
  /** Sets a column's width, within its bounds. */
  readonly resize: (column: Column, toPx: number) => void;
  /** Returns the first column's width in a table of the given width, in pixels. */
  readonly firstIn: (tablePx: number) => number;
}

/**
 * Returns the column widths. With `layout` and `onLayout` the caller stores them, else the table keeps them while it is
 * shown.
 */
export function useColumnWidths(
  columns: readonly Column[],
  layout?: TableLayout,
  onLayout?: (layout: TableLayout) => void,
): ColumnWidths {
  const [own, setOwn] = useState(OWN_LAYOUT);
  const kept = layout ?? own;
  const keep = onLayout ?? setOwn;
  return useMemo(() => {
    const chosen = new Map(kept.widths);
    const of = (column: Column): number => {
      const px = chosen.get(column.id);
      return px === undefined ? column.width : clampWidth(column, px);
    };
    const others = columns.slice(1);
    const firstMin = columns[0]?.minWidth ?? 0;
    const othersTotal = others.reduce((total, column) => total + of(column), 0);
    return {
      template: [`minmax(${firstMin}px, 1fr)`, ...others.map((column) => `${of(column)}px`)].join(' '),
      minTotal: firstMin + othersTotal,
      of,
      resize: (column, toPx) => {
        const rest = kept.widths.filter(([other]) => other !== column.id);
        keep({ ...kept, widths: [...rest, [column.id, clampWidth(column, toPx)]] });
      },
      firstIn: (tablePx) => Math.max(firstMin, tablePx - othersTotal),
    };
  }, [columns, kept, keep]);
}

export function clampWidth(column: Column, px: number): number {
  return Math.round(Math.min(MAX_WIDTH_PX, Math.max(column.minWidth, px)));
}

/** Returns the available columns that a layout names, in its order; the first column always comes first. */
export function chosenColumns(all: readonly Column[], own: readonly string[], layout: TableLayout): Column[] {
  const [first] = all;
  if (first === undefined) return [];
  const byId = new Map(all.map((column) => [column.id, column]));
  const ids = new Set(layout.columns ?? own);
  return [first, ...[...ids].flatMap((id) => (id === first.id ? [] : (byId.get(id) ?? [])))];
}

/**
 * Returns the layout after showing or hiding a column, or moving it by so many positions to the right among the visible
 * ones.
 */
export function withColumn(shown: readonly string[], id: string, change: 'show' | 'hide' | number): string[] {
  const at = shown.indexOf(id);
  if (change === 'show') return at < 0 ? [...shown, id] : [...shown];
  if (at < 0) return [...shown];
  const rest = shown.filter((other) => other !== id);
  if (change === 'hide') return rest;
  // The first column is fixed; no column moves before it.
  const to = Math.max(1, Math.min(rest.length, at + change));
  return at === 0 ? [...shown] : [...rest.slice(0, to), id, ...rest.slice(to)];
}
