import type { GridViewProps } from './grid.types.ts';
import type { RowWindow } from './row-window.ts';
import { LEVEL_PX } from './table-row.tsx';

/** Most levels that stand before a name. */
const MOST_LEVELS = 40;
/** What the first column keeps for a name with what opens it. */
const NAME_PX = 210;

/** Levels that have room as guides in a first column of this width. */
export function levelsThatFit(firstColumnPx: number): number {
  return Math.max(2, Math.min(MOST_LEVELS, Math.floor((firstColumnPx - NAME_PX) / LEVEL_PX)));
}

/**
 * Where rows in view lie deeper than guides have room for, levels are numbered, and the tree moves sideways with the rows, so that names
 * stay in view.
 */
export function guidesInView(
  { placeOf, rowAt }: Pick<GridViewProps, 'placeOf' | 'rowAt'>,
  { first, count }: RowWindow,
  room: number,
): { readonly shift: number; readonly room: number; readonly numbered: boolean } {
  if (placeOf === undefined) return { shift: 0, room, numbered: false };
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let position = first; position < first + count; position++) {
    const row = rowAt(position);
    const level = row < 0 ? undefined : placeOf(row)?.level;
    if (level === undefined) continue;
    least = Math.min(least, level);
    most = Math.max(most, level);
  }
  const numbered = most - 1 > room;
  return { shift: numbered ? Math.max(0, least - 2) : 0, room, numbered };
}
