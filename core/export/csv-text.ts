/** A column as text that other programs read: numbers in full, in the base unit that its header names. */
export interface ExportColumn<Row = number> {
  readonly header: string;
  readonly cell: (row: Row) => string | number;
}

/**
 * RFC 4180, with what the numbers are of in lines that begin with `# `. A name that a spreadsheet would run as a formula gets a `'` before
 * it, as OWASP's "CSV injection" advises.
 */
export function csvText<Row>(
  notes: readonly string[],
  columns: readonly ExportColumn<Row>[],
  rows: Iterable<Row>,
): string {
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
