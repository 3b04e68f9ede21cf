import { useLayoutEffect, useRef, useEffect, useState, type JSX, type RefObject } from 'react';
import type { GridViewProps } from './grid.types.ts';
import type { RowWindow } from './row-window.ts';
import { TableRow, LEVEL_PX } from './row.tsx';

const ROWS_PER_BASE = 128;

interface GridRowsProps {
  readonly grid: Omit<GridViewProps, 'handle'>;
  readonly inView: RowWindow;
  readonly viewportPx: number;
  readonly rowPx: number;
  readonly firstColumnPx: number;
  readonly rowId: (position: number) => string;
  /**
   * Called with the distance in pixels when the browser scrolled the rows, for a screen reader or a search in the page.
   */
  readonly onForeignScroll: (px: number) => void;
}

/** The visible rows. Their elements are reused while scrolling. */
export function GridRows({
  grid,
  inView,
  viewportPx,
  rowPx,
  firstColumnPx,
  rowId,
  onForeignScroll,
}: GridRowsProps): JSX.Element {
  const slots = Math.ceil(viewportPx / rowPx) + 1;
  /**
   * Rows are positioned relative to a multiple, and the window over them is scrolled, so that only rows that become
   * visible are styled and drawn.
   */
  const base = inView.first - (inView.first % ROWS_PER_BASE);
  const shiftPx = (inView.first - base) * rowPx + inView.offset;
  const body = useRef<HTMLTableSectionElement>(null);
  const isScrolled = useRef(false);
  useLayoutEffect(() => {
    // Even setting 0 lays out the new rows.
    if (shiftPx !== 0 || isScrolled.current) body.current!.scrollTop = shiftPx;
    isScrolled.current = shiftPx !== 0;
  });

  function onScroll(): void {
    const foreignPx = body.current!.scrollTop - shiftPx;
    // Smaller differences are rounding, on screens whose pixels differ from CSS pixels.
    if (Math.abs(foreignPx) < 1) return;
    body.current!.scrollTop = shiftPx;
    onForeignScroll(foreignPx);
  }

  const guides = guidesInView(grid, inView, levelsThatFit(firstColumnPx));
  return (
    <tbody ref={body} className="table-window" style={{ height: viewportPx }} onScroll={onScroll}>
      {useSlotOrder(inView, slots, body).map((position) => {
        const row = grid.rowAt(position);
        return (
          <TableRow
            key={position % slots}
            id={rowId(position)}
            row={row}
            position={position}
            top={(position - base) * rowPx}
            columns={grid.columns}
            firstColumnPx={firstColumnPx}
            place={row < 0 ? null : (grid.placeOf?.(row) ?? null)}
            {...guides}
            selected={row >= 0 && grid.isSelected(row)}
            active={position === grid.activePosition}
          />
        );
      })}
    </tbody>
  );
}

/** Maximum number of levels shown before a name. */
const MOST_LEVELS = 40;
/** Width of the first column reserved for a name and its twisty. */
const NAME_PX = 210;

/** Returns the number of levels whose guides fit into a first column of this width. */
function levelsThatFit(firstColumnPx: number): number {
  return Math.max(2, Math.min(MOST_LEVELS, Math.floor((firstColumnPx - NAME_PX) / LEVEL_PX)));
}

/**
 * Returns how guides are drawn. If visible rows are too deep for the guides, levels are numbered and the tree shifts
 * sideways, so that names stay visible.
 */
function guidesInView(
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

/** Longer than the time between two events of a gesture, in ms. */
const REST_MS = 150;

/**
 * Returns the visible positions in the order of their elements; the element of a position is that of `position %
 * slots`. Elements that move are styled, laid out and painted again, so while rows scroll they stay in place, and rows
 * that become visible reuse those of rows that left. When scrolling rests, elements return to the order of the rows,
 * for screen readers; not while one is pressed, because moving an element loses its click.
 */
function useSlotOrder(
  { first, count }: RowWindow,
  slots: number,
  body: RefObject<HTMLTableSectionElement | null>,
): number[] {
  const [rested, setRested] = useState(first);
  useEffect(() => {
    if (rested === first) return;
    const timer = setInterval(() => {
      if (body.current?.matches(':active') !== true) setRested(first);
    }, REST_MS);
    return () => clearInterval(timer);
  }, [first, rested, body]);
  return slotOrder({ first, count }, slots, rested);
}

/** Returns the positions in the order of their elements, starting with that of `origin`. */
export function slotOrder(
  { first, count }: Pick<RowWindow, 'first' | 'count'>,
  slots: number,
  origin: number,
): number[] {
  const rank = (position: number): number => (((position - origin) % slots) + slots) % slots;
  return Array.from({ length: count }, (_, at) => first + at).toSorted((a, b) => rank(a) - rank(b));
}
