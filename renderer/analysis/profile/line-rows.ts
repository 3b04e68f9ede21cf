import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import type { SourceLines } from '#core/analyze/tables/source-lines.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';

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
