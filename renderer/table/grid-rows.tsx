import { useLayoutEffect, useRef, type JSX } from 'react';
import { guidesInView, levelsThatFit } from './grid-guides.ts';
import type { GridViewProps } from './grid.types.ts';
import type { RowWindow } from './row-window.ts';
import { TableRow } from './table-row.tsx';

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
  const window = useRef<HTMLTableSectionElement>(null);
  // Rows are placed apart from what they show: scrolling draws only those that come into view, and gives cells no new style.
  useLayoutEffect(() => {
    const rows = window.current!.querySelectorAll<HTMLElement>(':scope > tr');
    rows.forEach((row, slot) => {
      row.style.transform = `translateY(${slot * rowPx - inView.offset}px)`;
    });
  });
  const guides = guidesInView(grid, inView, levelsThatFit(firstColumnPx));
  return (
    <tbody ref={window} className="table-window" style={{ height: viewportPx }}>
      {Array.from({ length: inView.count }, (_, slot) => {
        const position = inView.first + slot;
        const row = grid.rowAt(position);
        return (
          <TableRow
            key={position % slots}
            id={rowId(position)}
            row={row}
            position={position}
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
