/** A column as text that other programs read: numbers in full, in the base unit that its header names. */
export interface ExportColumn {
  readonly header: string;
  readonly cell: (row: number) => string | number;
}

/** For the clipboard: spreadsheets take it apart at tabs. Line breaks and tabs within names become blanks. */
export function tsvText(columns: readonly ExportColumn[], rows: Iterable<number>): string {
  const lines = [columns.map(({ header }) => header).join('\t')];
  for (const row of rows)
    lines.push(columns.map(({ cell }) => String(cell(row)).replace(/[\t\r\n]+/g, ' ')).join('\t'));
  return `${lines.join('\n')}\n`;
}

/**
 * RFC 4180, with what the numbers are of in lines that begin with `# `. A name that a spreadsheet would run as a formula gets a `'` before
 * it, as OWASP's "CSV injection" advises.
 */
export function csvText(notes: readonly string[], columns: readonly ExportColumn[], rows: Iterable<number>): string {
  const lines = notes.map((note) => `# ${note.replace(/[\r\n]+/g, ' ')}`);
  lines.push(columns.map(({ header }) => csvCell(header)).join(','));
  for (const row of rows) lines.push(columns.map(({ cell }) => csvCell(cell(row))).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A share in percent, short enough to read and exact enough to sort. */
export function percentOf(part: number, whole: number): number | string {
  return whole === 0 ? '' : Number(((100 * part) / whole).toPrecision(8));
}
