import { malformed } from '../../model/failure.ts';
import type { TextLine } from './text-lines.ts';

/** Maximum bytes of a table row: rows have dozens of cells, and names of a few kilobytes. */
export const MAX_ROW_BYTES = 2 ** 20;

const DELIMITERS = [',', '\t', ';', '|'] as const;

/** Spaces, then a quote: VTune indents names outside of their quotes. */
const OPENING = /( *)"/y;

/**
 * Splits a line of comma-separated values into cells (RFC 4180, any delimiter of one UTF-16 unit). null if a quote is
 * not closed.
 */
export function splitCells(line: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  for (let at = 0; ; at += delimiter.length) {
    OPENING.lastIndex = at;
    const blanks = OPENING.exec(line)?.[1];
    const quoted = blanks === undefined ? { text: '', end: at } : readQuoted(line, at + blanks.length + 1);
    if (quoted === null) return null;
    const end = line.indexOf(delimiter, quoted.end);
    cells.push((blanks ?? '') + quoted.text + line.slice(quoted.end, end < 0 ? undefined : end));
    if (end < 0) return cells;
    at = end;
  }
}

/** Returns the quoted text from `start` on, with doubled quotes resolved. */
function readQuoted(line: string, start: number): { readonly text: string; readonly end: number } | null {
  for (let from = start; ;) {
    const quote = line.indexOf('"', from);
    if (quote < 0) return null;
    if (line[quote + 1] !== '"') return { text: line.slice(start, quote).replaceAll('""', '"'), end: quote + 1 };
    from = quote + 2;
  }
}

/** A table whose first line contains headings. */
export interface CsvHeadings {
  readonly names: readonly string[];
  readonly delimiter: string;
}

/** Parses the headings in `line` with the first delimiter that yields all of `wanted`; null if none does. */
export function parseHeadings(line: string, wanted: readonly string[]): CsvHeadings | null {
  for (const delimiter of DELIMITERS) {
    const names = splitCells(line, delimiter)?.map((name) => name.trim()) ?? [];
    if (wanted.every((name) => names.includes(name))) return { names, delimiter };
  }
  return null;
}

/**
 * Returns the cells of a row below `headings`, at least as many as there are headings. Throws `ImportFailure` if there
 * are fewer, or if a quote is not closed.
 */
export function rowCells({ names, delimiter }: CsvHeadings, { text, number: line }: TextLine): readonly string[] {
  const cells = splitCells(text, delimiter);
  if (cells === null) throw malformed('an unclosed quote', line);
  if (cells.length >= names.length) return cells;
  throw malformed(`${cells.length} cells below ${names.length} headings`, line);
}
