import { useState } from 'react';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { Column, SortOrder } from '../table.types.ts';

/** Keeps rows in their places while the pointer is over a table whose numbers change by themselves. */
export interface StillOrder {
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  /** Sorts again once, because the user requested it. */
  readonly release: () => void;
  /** Returns the columns; the sorted one keeps its order while the pointer is over the table. */
  readonly apply: (columns: readonly Column[], sort: SortOrder) => readonly Column[];
}

/** Returns the order. `shown` returns the rows on screen in order; no order is kept unless the table is `growing`. */
export function useStillOrder(stats: FunctionStats, shown: () => Int32Array, growing: boolean): StillOrder {
  /** Places by function; null while the pointer is elsewhere. */
  const [places, setPlaces] = useState<ReadonlyMap<number, number> | null>(null);
  const release = (): void => setPlaces(null);
  return {
    onPointerEnter: () => {
      if (growing) setPlaces(new Map(Array.from(shown(), (row, place) => [stats.func[row]!, place])));
    },
    onPointerLeave: release,
    release,
    apply: (columns, { column: sorted, direction }) => {
      if (places === null) return columns;
      const sign = direction === 'descending' ? -1 : 1;
      // New functions come last.
      const values = Float64Array.from(stats.func, (func) => sign * (places.get(func) ?? places.size));
      return columns.map((column) =>
        column.id === sorted && column.kind === 'number' ? { ...column, values } : column,
      );
    },
  };
}
