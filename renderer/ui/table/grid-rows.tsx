import { useLayoutEffect, useRef, type JSX } from 'react';
import { guidesInView, levelsThatFit } from './grid-guides.ts';
import type { GridViewProps } from './grid.types.ts';
import { useSlotOrder } from './row-slots.ts';
import type { RowWindow } from './row-window.ts';
import { TableRow } from './table-row.tsx';

const ROWS_PER_BASE = 128;

interface GridRowsProps {
  readonly grid: Omit<GridViewProps, 'handle'>;
  readonly inView: RowWindow;
  readonly viewportPx: number;
  readonly rowPx: number;
  readonly firstColumnPx: number;
  readonly rowId: (position: number) => string;
  /** The browser itself scrolled the rows, as a screen reader or a search in the page asks it to: so many pixels. */
  readonly onForeignScroll: (px: number) => void;
}

/** The rows in view. Their elements are reused as rows scroll through. */
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
  /** Rows lie at multiples from here, and the window over them is scrolled: only the rows that come into view are styled and drawn anew. */
  const base = inView.first - (inView.first % ROWS_PER_BASE);
  const shiftPx = (inView.first - base) * rowPx + inView.offset;
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    body.current!.scrollTop = shiftPx;
  });

  function onScroll(): void {
    const foreignPx = body.current!.scrollTop - shiftPx;
    // Less is rounding, on screens whose pixels are not those of the page.
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
