import type { FrameBudget } from '../stacks/frame-budget.ts';

/** A row of the report with the lines of its call graph. */
export interface ReportRow {
  readonly command: string;
  readonly symbol: string;
  /** Percentage of the samples that contain the function, and of those that end in it. */
  readonly total: number;
  readonly self: number;
  readonly branches: Branch[];
}

/** Frames in the order of the text that follow one another without a fork, and the forks below them. */
export interface Branch {
  /** Absent for what has all of the part above it. */
  readonly percent: number | null;
  readonly names: string[];
  readonly branches: Branch[];
}

/** A path through a call graph, in the order of the text, with the percentage that goes no further. */
export interface GraphPath {
  readonly row: ReportRow;
  readonly names: readonly string[];
  readonly self: number;
  /** Half of the last decimal for each number that `self` is made from. */
  readonly rounding: number;
}

const DASHES = /^([ |]*)-{2,3}(?:(\d+(?:\.\d+)?)%--)? ?(\S.*)$/;
const COUNTED = /^[ |]*--\d+--/;
const FOLDED = /^(\d+\.\d+)% (.+)$/;
/** Half of the last decimal that perf prints. */
export const HALF = 0.005;

/** Reads the lines below a row. */
export class GraphReader {
  readonly #row: ReportRow;
  readonly #open: { readonly column: number; readonly branch: Branch }[] = [];

  constructor(row: ReportRow) {
    this.#row = row;
  }

  /** Returns whether the line is part of a call graph. */
  line(text: string): 'read' | 'counted' | 'unknown' {
    if (/^[ |]*$/.test(text)) return 'read';
    const [, share, path] = FOLDED.exec(text) ?? [];
    if (path !== undefined) {
      this.#row.branches.push({ percent: Number(share), names: path.split(';'), branches: [] });
      return 'read';
    }
    if (COUNTED.test(text)) return 'counted';
    const [, before, percent, name] = DASHES.exec(text) ?? [];
    if (name === undefined) return this.#next(text);
    const column = before!.length;
    while (this.#open.length > 0 && this.#open.at(-1)!.column >= column) this.#open.pop();
    const branch = { percent: percent === undefined ? null : Number(percent), names: [name], branches: [] };
    (this.#open.at(-1)?.branch ?? this.#row).branches.push(branch);
    this.#open.push({ column, branch });
    return 'read';
  }

  #next(text: string): 'read' | 'unknown' {
    const last = this.#open.at(-1);
    if (last === undefined || !/^[ |]{3}/.test(text)) return 'unknown';
    last.branch.names.push(text.replace(/^[ |]+/, ''));
    return 'read';
  }
}

/** Lists the paths of a row's call graph. Throws if they are out of proportion to the text. */
export function pathsOf(row: ReportRow, budget: FrameBudget): GraphPath[] {
  const paths: GraphPath[] = [];
  const waiting = row.branches.map((branch) => ({ branch, above: [] as readonly string[], whole: row.total }));
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const { branch, above, whole } = entry;
    const percent = branch.percent ?? whole;
    const names = [...above, ...branch.names];
    budget.take(names.length);
    const below = branch.branches.reduce((sum, one) => sum + (one.percent ?? percent), 0);
    const rounding = HALF * (branch.branches.length + 1);
    if (percent - below > rounding) paths.push({ row, names, self: percent - below, rounding });
    for (const one of branch.branches) waiting.push({ branch: one, above: names, whole: percent });
  }
  return paths;
}

/** Returns whether the forks of a branch are more than the branch, so that they are parts of it (`-g fractal`). */
export function isRelativeTo(branches: readonly Branch[], whole: number): boolean {
  const waiting = [{ branches, whole }];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const sum = entry.branches.reduce((all, { percent }) => all + (percent ?? 0), 0);
    if (sum > entry.whole + HALF * 2 * (entry.branches.length + 1)) return true;
    for (const { percent, branches: below } of entry.branches)
      waiting.push({ branches: below, whole: percent ?? entry.whole });
  }
  return false;
}
