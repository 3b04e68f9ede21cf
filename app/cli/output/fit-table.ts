import { shortenMiddle } from '#core/analyze/function-label.ts';

/** Width of the column that gives way, below which other columns leave the table instead. */
const LEAST_WIDTH = 20;

/** Width of that column where the columns that stay leave less than {@link LEAST_WIDTH}; lines then wrap. */
const LAST_RESORT = 8;

export interface TableColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly align?: 'right';
  /** That of the longest cell if absent; longer cells widen their own line. */
  readonly width?: number;
  /** Order in which columns leave a narrow table, 1 first; a column without it stays. */
  readonly leaves?: number;
  /** Returns a row's text in at most `width` columns. Only the column that matters most has it. */
  readonly shorten?: (row: number, width: number) => string;
}

/** Returns the column that matters most, which is shortened in the middle to the width that is left. */
export const shortened = (title: string, cells: readonly string[]): TableColumn => ({
  title,
  cells,
  shorten: (row, width) => shortenMiddle(cells[row]!, width),
});

/**
 * Returns a line of titles, then one line per row, all within `width`. Columns that leave the table are named in a last
 * line. `gap` separates columns.
 */
export function fitTable(columns: readonly TableColumn[], width: number, gap = '  '): string[] {
  const widths = new Map(columns.map((column) => [column, widthOf(column)]));
  const roomBeside = (shown: readonly TableColumn[]): number =>
    shown.reduce((room, column) => room - gap.length - (column.shorten ? 0 : widths.get(column)!), width + gap.length);
  const leastWidth = columns
    .filter(({ shorten }) => shorten)
    .reduce((sum, column) => sum + Math.min(LEAST_WIDTH, widths.get(column)!), 0);

  let shown = columns;
  const leaving = columns.filter(({ leaves }) => leaves !== undefined).toSorted((a, b) => a.leaves! - b.leaves!);
  while (roomBeside(shown) < leastWidth && leaving.length > 0) {
    const gone = leaving.shift();
    shown = shown.filter((column) => column !== gone);
  }

  const room = Math.max(LAST_RESORT, roomBeside(shown));
  const texts = shown.map((column) =>
    textsOf(column, column.shorten ? Math.min(widths.get(column)!, room) : widths.get(column)!),
  );
  const lines = [-1, ...columns[0]!.cells.keys()].map((row) => texts.map((column) => column[row + 1]!));
  const left = columns.filter((column) => !shown.includes(column)).map(({ title }) => title.trim());
  return [
    ...lines.map((cells) => cells.join(gap).trimEnd()),
    ...(left.length > 0 ? [`left out: ${left.join(', ')} (--json and --csv have all)`] : []),
  ];
}

const widthOf = ({ title, cells, width }: TableColumn): number =>
  width ?? cells.reduce((widest, cell) => Math.max(widest, cell.length), title.length);

/** Returns a column's title and cells, padded to `width`, and shortened to it if the column can be. */
function textsOf({ title, cells, align, shorten }: TableColumn, width: number): string[] {
  const texts = shorten
    ? [shortenMiddle(title, width), ...cells.map((_, row) => shorten(row, width))]
    : [title, ...cells];
  return texts.map((text) => (align === 'right' ? text.padStart(width) : text.padEnd(width)));
}
