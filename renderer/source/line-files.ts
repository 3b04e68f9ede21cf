import type { FunctionStats } from '#core/analyze/stack-view.ts';
import type { SourceLines } from '#core/analyze/source-lines.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { LineWeight } from './source-rows.ts';
import type { SourceLineRows } from './source.types.ts';

/** What crosses from the worker to the window: file names instead of the whole string table. */
export function toLineRows(lines: SourceLines, strings: readonly string[]): SourceLineRows {
  const rows = [...new Set(lines.file)];
  const place = new Map(rows.map((string, index) => [string, index]));
  return {
    length: lines.length,
    files: rows.map((string) => strings[string]!),
    file: lines.file.map((string) => place.get(string)!),
    func: lines.func,
    line: lines.line,
    self: lines.self,
    total: lines.total,
  };
}

/** The same of a profile that knows neither files nor lines, where there is nothing to look for. */
export function withoutLines({ func, self, total }: FunctionStats, asked: FunctionIndex): SourceLineRows {
  const row = func.indexOf(asked);
  const length = row < 0 ? 0 : 1;
  return {
    length,
    files: length === 0 ? [] : [''],
    file: new Int32Array(length),
    func: new Int32Array(length).fill(asked),
    line: new Int32Array(length),
    self: self.slice(row, row + length),
    total: total.slice(row, row + length),
  };
}

/** The lines of one file. */
export interface LineFile {
  readonly name: string;
  /** A function that is in the file. */
  readonly func: FunctionIndex;
  readonly lines: readonly LineWeight[];
  /** Some line of it is known. */
  readonly hasLines: boolean;
}

/** Files with what they weigh most first. */
export function lineFiles(rows: SourceLineRows): LineFile[] {
  const files = rows.files.map((name, file) => {
    const own = [...rows.file.keys()].filter((row) => rows.file[row] === file);
    const lines = own.map((row) => ({ line: rows.line[row]!, self: rows.self[row]!, total: rows.total[row]! }));
    const func = rows.func[own[0]!]! as FunctionIndex;
    return { name, func, lines, hasLines: lines.some(({ line }) => line > 0) };
  });
  const weight = ({ lines }: LineFile): number => lines.reduce((sum, { self, total }) => sum + self + total, 0);
  return files.sort((a, b) => weight(b) - weight(a));
}
