import { useCallback, useMemo, useState } from 'react';
import type { Column } from './table.types.ts';

/** How far an arrow key moves a column's edge. */
export const KEY_STEP_PX = 12;
const MAX_WIDTH_PX = 2000;

export interface ColumnWidths {
  /** A `grid-template-columns`. The first column takes what the others leave. */
  readonly template: string;
  /** All columns at their least. */
  readonly minTotal: number;
  readonly of: (column: Column) => number;
  /** Wider by `byPx`, within bounds. */
  readonly resize: (column: Column, toPx: number) => void;
  readonly reset: (column: Column) => void;
  /** Pixels that the first column has in a table of that width. */
  readonly firstIn: (tablePx: number) => number;
}

export function useColumnWidths(columns: readonly Column[]): ColumnWidths {
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(new Map());
  const resize = useCallback((column: Column, toPx: number) => {
    setChosen((before) => new Map(before).set(column.id, clampWidth(column, toPx)));
  }, []);
  const reset = useCallback((column: Column) => {
    setChosen((before) => new Map([...before].filter(([id]) => id !== column.id)));
  }, []);
  return useMemo(() => {
    const of = (column: Column) => chosen.get(column.id) ?? column.width;
    const [first, ...others] = columns;
    const firstMin = first?.minWidth ?? 0;
    const othersTotal = others.reduce((total, column) => total + of(column), 0);
    const template = [`minmax(${firstMin}px, 1fr)`, ...others.map((column) => `${of(column)}px`)].join(' ');
    const firstIn = (tablePx: number) => Math.max(firstMin, tablePx - othersTotal);
    return { template, minTotal: firstMin + othersTotal, of, resize, reset, firstIn };
  }, [columns, chosen, resize, reset]);
}

export function clampWidth(column: Column, px: number): number {
  return Math.round(Math.min(MAX_WIDTH_PX, Math.max(column.minWidth, px)));
}
