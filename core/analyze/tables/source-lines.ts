import type { ResolvedTransforms } from '../transforms/transforms.ts';
import type { FunctionIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { compareText } from '../compare-text.ts';
import { childLists, subtreeTotals, walkRows } from '../tree/row-walk.ts';
import type { Selection } from '../view/stack-view.ts';
import { viewFrames } from '../view/view-frames.ts';
import { spreadToCallers } from '../view/weighted-rows.ts';

/** What each source line of a function weighs, by file, then line; those that the profile knows no line of come first in their file. */
export interface SourceLines {
  readonly length: number;
  /** → the profile's functions: one that has the line. */
  readonly func: Int32Array;
  /** → the profile's strings; 0 where unknown. A function that a transform made may have several. */
  readonly file: Int32Array;
  /** 1-based; 0: not known. */
  readonly line: Int32Array;
  /** Of stacks that end in this line. The sum over all lines is the function's own. */
  readonly self: Float64Array;
  /** Each stack once per line, however often the function recurs in it: the sum over all lines may be larger than the function's. */
  readonly total: Float64Array;
}

/**
 * Weights per source line of a function (an index of the view's functions) under a selection and transforms. Where recursion is
 * collapsed, a line is that of the outermost call.
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
  walkRows(
    rows,
    childLists(rows),
    (row) => {
      const line = lines[lineOfRow[row]!];
      if (line === undefined) return;
      line.self += rows.self[row]!;
      if (line.onPath === 0) line.total += rowTotals[row]!;
      line.onPath += 1;
    },
    (row) => {
      const line = lines[lineOfRow[row]!];
      if (line !== undefined) line.onPath -= 1;
    },
  );
  return toColumns(profile, lines);
}

interface LineRow {
  readonly func: number;
  readonly file: number;
  readonly line: number;
  self: number;
  total: number;
  /** How often the walk is inside of it. */
  onPath: number;
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
    return this.lines.push({ func, file, line, self: 0, total: 0, onPath: 0 }) - 1;
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
