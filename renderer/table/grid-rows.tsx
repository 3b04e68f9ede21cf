import { useLayoutEffect, useRef, type JSX } from 'react';
import { guidesInView, levelsThatFit } from './grid-guides.ts';
import type { GridViewProps } from './grid.types.ts';
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
}

/** The rows in view. Their elements are reused as rows scroll through. */
export function GridRows({ grid, inView, viewportPx, rowPx, firstColumnPx, rowId }: GridRowsProps): JSX.Element {
  const slots = Math.ceil(viewportPx / rowPx) + 1;
  /** Rows lie at multiples from here, and the window over them is scrolled: only the rows that come into view are styled and drawn anew. */
  const base = inView.first - (inView.first % ROWS_PER_BASE);
  const shiftPx = (inView.first - base) * rowPx + inView.offset;
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    body.current!.scrollTop = shiftPx;
  });
  const guides = guidesInView(grid, inView, levelsThatFit(firstColumnPx));
  return (
    <tbody ref={body} className="table-window" style={{ height: viewportPx }}>
      {Array.from({ length: inView.count }, (_, slot) => {
        const position = inView.first + slot;
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
