import { visibleText } from '#core/analyze/function-label.ts';
import type { AnnotatedEvent } from '#core/contract/source.ts';
import { tsvLine } from '#core/export/csv-text.ts';
import type { WeightFormat } from '../flame/graph.types.ts';

/** A row of code on screen. */
export interface CodeRow {
  /** Right-aligned columns before the text; an empty string leaves a cell blank. */
  readonly cells: readonly string[];
  readonly text: string;
  readonly look: 'code' | 'dim' | 'place';
  /** Share of the hottest row, from 0 to 1. */
  readonly heat: number;
  /** The full text, for the tooltip. */
  readonly title: string;
}

export interface CodeTable {
  readonly titles: readonly string[];
  readonly rows: readonly CodeRow[];
  /** Index of the row with the most weight; −1 if none has any. */
  readonly hottest: number;
}

/** The weight of one source line. */
export interface LineWeight {
  /** Line number from 1; 0 if unknown. */
  readonly line: number;
  readonly self: number;
  readonly total: number;
}

const LINE_TITLES = ['self', 'total', 'line'];

/**
 * Returns the lines of a file with shares of `whole`. With the file's text every line has a row, otherwise only lines
 * with weight. A line beyond the end of the text keeps its row, since the file is then another version.
 */
export function lineTable(
  lines: readonly LineWeight[],
  text: readonly string[] | null,
  whole: number,
  format: WeightFormat,
): CodeTable {
  const peak = Math.max(0, ...lines.map(({ self, total }) => Math.max(self, total)));
  const weighed = (weight: LineWeight, shown: string): CodeRow => ({
    cells: [share(weight.self), share(weight.total), weight.line === 0 ? '' : String(weight.line)],
    text: visibleText(shown),
    look: weight.line === 0 ? 'dim' : 'code',
    heat: peak === 0 ? 0 : Math.max(weight.self, weight.total) / peak,
    title: `${weight.line === 0 ? 'Unknown line' : `Line ${weight.line}`}: self ${whatOf(weight.self)}, total ${whatOf(weight.total)}`,
  });
  const share = (weight: number): string => (weight === 0 ? '' : format.share(weight, whole));
  const whatOf = (weight: number): string => `${format.value(weight)} · ${format.share(weight, whole)}`;
  const unknown = lines.filter(({ line }) => line === 0).map((line) => weighed(line, '(unknown line)'));
  const known = lines.filter(({ line }) => line > 0);
  const rows = [...unknown, ...(text === null ? known.map((line) => weighed(line, '')) : inText(known, text, weighed))];
  return { titles: LINE_TITLES, rows, hottest: hottestOf(rows) };
}

function inText(
  lines: readonly LineWeight[],
  text: readonly string[],
  weighed: (line: LineWeight, text: string) => CodeRow,
): CodeRow[] {
  const byLine = new Map(lines.map((line) => [line.line, line]));
  const rows = text.map((shown, index): CodeRow => {
    const weight = byLine.get(index + 1);
    if (weight !== undefined) return weighed(weight, shown);
    return { cells: ['', '', String(index + 1)], text: visibleText(shown), look: 'code', heat: 0, title: '' };
  });
  const beyond = lines.filter(({ line }) => line > text.length);
  return [...rows, ...beyond.map((line) => weighed(line, '(the file has no such line)'))];
}

/** Returns instructions interleaved with their source. */
export function instructionTable({ rows: printed, total }: AnnotatedEvent, format: WeightFormat): CodeTable {
  const peak = printed.reduce((most, row) => (row.kind === 'instruction' ? Math.max(most, row.period) : most), 0);
  const rows = printed.map((row): CodeRow => {
    const text = visibleText(row.text);
    if (row.kind !== 'instruction') {
      return { cells: ['', ''], text, look: row.kind === 'place' ? 'place' : 'dim', heat: 0, title: '' };
    }
    const weight = `${format.value(row.period)} · ${format.share(row.period, total)}`;
    return {
      cells: [row.period === 0 ? '' : format.share(row.period, total), row.address],
      text,
      look: 'code',
      heat: peak === 0 ? 0 : row.period / peak,
      title: row.period === 0 ? '' : `${weight}${row.place === null ? '' : ` · ${visibleText(row.place)}`}`,
    };
  });
  return { titles: ['self', 'address'], rows, hottest: hottestOf(rows) };
}

function hottestOf(rows: readonly CodeRow[]): number {
  return rows.findIndex(({ heat }) => heat === 1);
}

/** Returns the row that an instruction jumps to, as in `jne 1144 <mix+0xb>`; −1 if it names none in this table. */
export function jumpTarget({ rows }: CodeTable, from: number): number {
  const address = / ([0-9a-f]+) <[^<>]+>$/.exec(rows[from]?.text ?? '')?.[1];
  return address === undefined ? -1 : rows.findIndex(({ cells, look }) => look === 'code' && cells[1] === address);
}

/** Returns the table as tab-separated lines, for the clipboard. */
export function tableText({ titles, rows }: CodeTable): string {
  return [[...titles, 'text'], ...rows.map(({ cells, text }) => [...cells, text])].map(tsvLine).join('\n');
}
