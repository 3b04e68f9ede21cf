/** A column as text for other programs: numbers in full precision, in the base unit that its header names. */
export interface ExportColumn<Row = number> {
  readonly header: string;
  readonly cell: (row: Row) => string | number;
}

/**
 * Writes RFC 4180 with notes in lines that begin with `# `. Text that a spreadsheet would run as a formula is prefixed
 * with `'` ({@link spreadsheetText}); numbers stay numbers.
 */
export function csvText<Row>(
  notes: readonly string[],
  columns: readonly ExportColumn<Row>[],
  rows: Iterable<Row>,
): string {
  const lines = notes.map((note) => `# ${noteText(note)}`);
  lines.push(columns.map(({ header }) => csvCell(header)).join(','));
  return `${lines.join('\r\n')}\r\n${csvRows(columns, rows)}`;
}

/** Writes only the rows, to continue a text of {@link csvText}. */
export function csvRows<Row>(columns: readonly ExportColumn<Row>[], rows: Iterable<Row>): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(`${columns.map(({ cell }) => csvCell(cell(row))).join(',')}\r\n`);
  return lines.join('');
}

/**
 * Returns a row of cells for the clipboard. Spreadsheets split it at tabs and line ends, which become spaces within a
 * cell.
 */
export const tsvLine = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell) => (typeof cell === 'number' ? String(cell) : spreadsheetText(cell, true).replace(/[\t\r\n]+/g, ' ')))
    .join('\t');

/** Start of a formula; the wide forms are those of East Asian input methods (OWASP, "CSV injection"). */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

/**
 * Prefixes text that a spreadsheet would run as a formula with `'`. `isPasted` also covers text that begins with a
 * quotation mark, which spreadsheets remove from pasted text.
 */
export const spreadsheetText = (text: string, isPasted = false): string =>
  FORMULA.test(text) || (isPasted && text.startsWith('"')) ? `'${text}` : text;

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = spreadsheetText(value);
  // Spreadsheets also split at semicolons if that is the system's list separator.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A note is one line of text, but a spreadsheet splits it like any other; parts that would be a formula in a cell of
 * their own get a `'`.
 */
const noteText = (note: string): string =>
  note
    .replace(/[\r\n]+/g, ' ')
    .replaceAll(/([,;\t]["' ]*)(?=[=@\uff1d\uff20]|[+-](?!\d)|(?<! )[+\-\uff0b\uff0d])/g, "$1'");
