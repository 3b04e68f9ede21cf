/** A column as text that other programs read: numbers in full, in the base unit that its header names. */
export interface ExportColumn<Row = number> {
  readonly header: string;
  readonly cell: (row: Row) => string | number;
}

/**
 * RFC 4180, with what the numbers are of in lines that begin with `# `. Texts that a spreadsheet would run as a formula get a `'` before them
 * ({@link spreadsheetText}); numbers stay numbers.
 */
export function csvText<Row>(
  notes: readonly string[],
  columns: readonly ExportColumn<Row>[],
  rows: Iterable<Row>,
): string {
  const lines = notes.map((note) => `# ${noteText(note)}`);
  lines.push(columns.map(({ header }) => csvCell(header)).join(','));
  for (const row of rows) lines.push(columns.map(({ cell }) => csvCell(cell(row))).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** Rows of cells for the clipboard, which spreadsheets take apart at tabs and line ends: within a cell they become blanks. */
export const tsvLine = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell) => (typeof cell === 'number' ? String(cell) : spreadsheetText(cell, true).replace(/[\t\r\n]+/g, ' ')))
    .join('\t');

/** How a formula begins; the wide forms are those of East Asian input methods (OWASP, "CSV injection"). */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

/**
 * The text with a `'` before it where a spreadsheet would run it as a formula. `isPasted`: also where it begins with a quotation mark,
 * which spreadsheets take away from what is pasted.
 */
export const spreadsheetText = (text: string, isPasted = false): string =>
  FORMULA.test(text) || (isPasted && text.startsWith('"')) ? `'${text}` : text;

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = spreadsheetText(value);
  // Where the list separator of the system is a semicolon, spreadsheets divide there.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A note is one line of text, but a spreadsheet divides it as any other: what would be a formula in a cell of its own gets a `'`. */
const noteText = (note: string): string =>
  note
    .replace(/[\r\n]+/g, ' ')
    .replaceAll(/([,;\t]["' ]*)(?=[=@\uff1d\uff20]|[+-](?!\d)|(?<! )[+\-\uff0b\uff0d])/g, "$1'");
