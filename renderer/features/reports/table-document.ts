import { cell, codeCell, plain, table } from '../../../core/export/markdown-text.ts';
import { countOf, format } from '../../ui/format.ts';
import type { Pin } from '../../ui/pin.ts';
import type { Column, ShownTable } from '../../ui/table/table.types.ts';

/** More rows are for CSV. */
const MOST_ROWS = 100;
/** Longer names would make a picture of one row. */
const MOST_TEXT = 1000;

/** A table as text, ready to be written or drawn. */
export interface TableDocument {
  readonly title: string;
  /** What the table is, which rows it has and what its numbers describe. */
  readonly lines: readonly string[];
  readonly headers: readonly TableHeader[];
  readonly rows: readonly TableRow[];
  /** Notes on its rows. */
  readonly legend: readonly Pick<Pin, 'number' | 'title'>[];
}

interface TableHeader {
  readonly text: string;
  readonly isNumber: boolean;
  readonly isCode: boolean;
}

interface TableRow {
  readonly cells: readonly string[];
  /** Numbers of the notes on the row. */
  readonly pins: readonly number[];
}

/** Returns the first rows of a table as they are on screen; `redact` is applied to each text. */
export function tableDocument(
  title: string,
  { label, columns, rows }: ShownTable,
  notes: readonly string[],
  redact: (text: string) => string,
): TableDocument {
  const pinned = new Map<number, string>();
  const numbersOf = (row: number): number[] =>
    columns
      .flatMap((column) => column.pins?.(row) ?? [])
      .map((pin) => {
        pinned.set(pin.number, pin.title);
        return pin.number;
      });
  const kept = [...rows.subarray(0, MOST_ROWS)];
  const found = kept.map((row) => ({
    cells: columns.map((column) => redact(textOf(column, row).slice(0, MOST_TEXT))),
    pins: [...new Set(numbersOf(row))],
  }));
  const cut =
    rows.length > kept.length ? `, first ${format.number(kept.length)} of ${countOf(rows.length, 'row')}` : '';
  return {
    title: redact(title),
    lines: [`${label}${cut}`, ...notes.map(redact)],
    headers: columns.map((column) => ({
      text: column.header,
      isNumber: column.kind === 'number',
      isCode: column.kind === 'tree' || (column.kind === 'text' && column.mono),
    })),
    rows: found,
    legend: [...pinned].sort(([a], [b]) => a - b).map(([number, text]) => ({ number, title: redact(text) })),
  };
}

const textOf = (column: Column, row: number): string =>
  column.kind === 'number' ? column.format(column.value(row), row) : column.text(row);

/** Indentation stands before the code, where Markdown keeps it. */
const INDENT = /^\u00a0*/;

/** Returns the table for a pull request or an issue. */
export function tableMarkdown({ title, lines, headers, rows, legend }: TableDocument): string {
  const cellOf = (text: string, { isCode }: TableHeader): string => {
    if (!isCode) return cell(plain(text));
    const [indent] = INDENT.exec(text)!;
    return `${indent}${codeCell(text.slice(indent.length))}`;
  };
  const [first, ...described] = lines;
  const written = rows.map(({ cells, pins }) =>
    cells
      .map((text, place) => {
        const numbers = place === 0 ? pins.map((pin) => ` (${pin})`).join('') : '';
        return `${cellOf(text, headers[place]!)}${numbers}`;
      })
      .join(' | '),
  );
  return `${[
    `**${plain(title)}**: ${plain(first!)}`,
    table(
      headers.map(({ text }) => cell(plain(text))).join(' | '),
      headers.map(({ isNumber }) => (isNumber ? '---:' : '---')).join(' | '),
      written,
    ),
    ...(legend.length === 0 ? [] : [legend.map((note) => `- (${note.number}) ${plain(note.title)}`).join('\n')]),
    ...(described.length === 0 ? [] : [described.map((line) => `- ${plain(line)}`).join('\n')]),
  ].join('\n\n')}\n`;
}
