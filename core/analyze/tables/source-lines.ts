import type { ResolvedTransforms } from '../view/transforms.ts';
import type { FunctionIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { compareText } from '../compare-text.ts';
import { OutermostRows, subtreeTotals, visitInPreOrder } from '../view/row-walk.ts';
import type { Selection } from '../view/stack-view.ts';
import { viewFrames } from '../view/view-frames.ts';
import { spreadToCallers } from '../view/weighted-rows.ts';

/** Weights of a function's source lines, by file, then line. Weight without a known line comes first in its file. */
export interface SourceLines {
  readonly length: number;
  /** → the profile's functions: one that contains the line. */
  readonly func: Int32Array;
  /** → the profile's strings; 0 if unknown. A function made by a transform may have several files. */
  readonly file: Int32Array;
  /** 1-based; 0 if unknown. */
  readonly line: Int32Array;
  /** Weight of the stacks that end in this line. The sum over all lines is the function's self weight. */
  readonly self: Float64Array;
  /**
   * Counts each stack once per line, even if the function recurs in it. The sum over all lines may exceed the
   * function's total.
   */
  readonly total: Float64Array;
}

/** Said of a function without known lines. */
export const NO_SOURCE_LINES = 'The profile has no source lines for this function.';

/**
 * Returns the weights of a function's source lines under a selection and transforms; `func` is an index of the view's
 * functions. If recursion is collapsed, the line is that of the outermost call.
 */
export function sourceLines(
  profile: Profile,
  selection: Selection,
  transforms: ResolvedTransforms | null,
  func: FunctionIndex,
): SourceLines {
  const { rows, frame } = viewFrames(profile, selection, transforms);
  const live = Uint8Array.from(rows.count, (count) => (count === 0 ? 0 : 1));
  spreadToCallers(live, rows.parent);
  const rowTotals = subtreeTotals(rows, rows.self);
  const table = new LineTable(profile);
  const lineOfRow = new Int32Array(rows.length).fill(-1);
  for (let row = 0; row < rows.length; row++) {
    if (live[row] === 1 && rows.func[row] === func) lineOfRow[row] = table.lineOf(frame[row]!);
  }
  const { lines } = table;
  const outermost = new OutermostRows(lines.length);
  visitInPreOrder(rows, (row, place, end) => {
    const line = lines[lineOfRow[row]!];
    if (line === undefined) return;
    line.self += rows.self[row]!;
    if (outermost.enter(lineOfRow[row]!, place, end)) line.total += rowTotals[row]!;
  });
  return toColumns(profile, lines);
}

interface LineRow {
  readonly func: number;
  readonly file: number;
  readonly line: number;
  self: number;
  total: number;
}

class LineTable {
  readonly lines: LineRow[] = [];
  readonly #profile: Profile;
  readonly #rows = new Map<string, number>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  lineOf(frame: number): number {
    const { frames, functions } = this.#profile;
    const func = frames.func[frame]!;
    const file = functions.file[func]!;
    const line = frames.line?.[frame] ?? 0;
    const key = `${file} ${line}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    this.#rows.set(key, this.lines.length);
    return this.lines.push({ func, file, line, self: 0, total: 0 }) - 1;
  }
}

function toColumns({ strings }: Profile, lines: LineRow[]): SourceLines {
  const nameOf = ({ file }: LineRow): string => strings[file]!;
  lines.sort((a, b) => compareText(nameOf(a), nameOf(b)) || a.line - b.line);
  return {
    length: lines.length,
    func: Int32Array.from(lines, ({ func }) => func),
    file: Int32Array.from(lines, ({ file }) => file),
    line: Int32Array.from(lines, ({ line }) => line),
    self: Float64Array.from(lines, ({ self }) => self),
    total: Float64Array.from(lines, ({ total }) => total),
  };
}
