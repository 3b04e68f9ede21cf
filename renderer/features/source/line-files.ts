import type { FunctionIndex } from '#core/model/brand.ts';
import type { LineWeight } from '../../ui/source/source-rows.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';

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
