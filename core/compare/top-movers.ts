import { functionRef } from '../analyze/function-ref.ts';
import { subtreeTotals } from '../analyze/tree/row-walk.ts';
import type { Comparison } from './comparison.ts';
import type { DeltaTree } from './delta-tree.ts';
import { FALSE_DISCOVERY_RATE } from './statistics/false-discovery.ts';
import type { Judgement, Verdict } from './statistics/judge.ts';

/** A function that moved, and whether it says so by what it does itself or by all below it. */
export interface Mover {
  /** → the comparison's functions */
  readonly func: number;
  readonly column: 'self' | 'total';
  readonly judgement: Judgement;
}

export interface TopMovers {
  /** First those called grew or shrank, then suggestive ones, then unknown ones; in each by size. */
  readonly movers: readonly Mover[];
  /** Functions that moved by themselves beyond those. */
  readonly more: number;
  /** Functions whose total moved as well, over half of it being what movers below them did: callers of what changed. */
  readonly explained: readonly number[];
}

/** Noise is no mover. Unknown is one: of bytes without replicates, sizes are all there is. */
const CLASSES: Readonly<Record<Verdict, number>> = { grew: 0, shrank: 0, suggestive: 1, unknown: 2, noise: 3 };

/** Where a verdict is withheld, what its test found tells whether it moved. */
function hasMoved({ verdict, withheld, q }: Judgement): boolean {
  if (withheld !== undefined) return q !== null && q <= FALSE_DISCOVERY_RATE;
  return verdict !== 'noise';
}

/** Part of a total's delta that movers below it explain, so that it is no mover itself. */
const EXPLAINED = 0.5;
/** Of functions in a row that call each other, the innermost that still has this part of the largest one's delta. */
const SAME_CHANGE = 0.8;

/**
 * The functions that changed, rather than all that call them: whose self moved. Where a total moved and movers below it do not explain it
 * (small changes of many functions, none of which stands out), the innermost such function is one too.
 */
export function topMovers(comparison: Comparison, tree: DeltaTree, most: number): TopMovers {
  const found: Ranked[] = [];
  const functions = comparison.self.length;
  const change = tree.after.self.map((weight, row) => weight - tree.before.self[row]!);
  const isMover = comparison.self.map(hasMoved);
  comparison.self.forEach((judgement, func) => {
    if (isMover[func]) found.push({ func, column: 'self', judgement, size: Math.abs(judgement.delta) });
  });
  for (let row = 0; row < tree.length; row++) {
    if (tree.func[row]! >= 0 && isMover[tree.func[row]!]) change[row] = 0;
  }
  const moved = [...comparison.total.keys()].filter((func) => hasMoved(comparison.total[func]!));
  const listed = new Set<number>();
  const depths = outermostDepths(tree, functions);
  for (let round = 0; round < most; round++) {
    const left = functionTotals(tree, change, functions);
    const next = innermostUnexplained(comparison, moved, left, depths);
    if (next === null) break;
    listed.add(next);
    found.push({ func: next, column: 'total', judgement: comparison.total[next]!, size: Math.abs(left[next]!) });
    clearBelow(tree, change, next);
  }
  found.sort(byRank(comparison));
  const movers = found.slice(0, most).map(({ func, column, judgement }): Mover => ({ func, column, judgement }));
  return {
    movers,
    more: found.length - movers.length,
    explained: moved.filter((func) => !isMover[func] && !listed.has(func)),
  };
}

interface Ranked extends Mover {
  /** Of the delta that is its own. */
  readonly size: number;
}

function byRank({ matched: { table } }: Comparison): (a: Ranked, b: Ranked) => number {
  return (a, b) => {
    const ranks = CLASSES[a.judgement.verdict] - CLASSES[b.judgement.verdict];
    if (ranks !== 0) return ranks;
    if (a.size !== b.size) return b.size - a.size;
    const [one, other] = [functionRef(table, a.func), functionRef(table, b.func)];
    if (one.name !== other.name) return one.name < other.name ? -1 : 1;
    return one.module < other.module ? -1 : 1;
  };
}

/** Of each function, what its rows and all below them have; rows are in pre-order. A function counts once where it recurs. */
function functionTotals(tree: DeltaTree, self: Float64Array, functions: number): Float64Array {
  const rowTotals = subtreeTotals(tree, self);
  const totals = new Float64Array(functions);
  const until = new Int32Array(functions);
  for (let row = 1; row < tree.length; row++) {
    const func = tree.func[row]!;
    if (row < until[func]!) continue;
    totals[func]! += rowTotals[row]!;
    until[func] = tree.end[row]!;
  }
  return totals;
}

/** Of each function, the depth of its outermost row. */
function outermostDepths({ length, func, depth }: DeltaTree, functions: number): Int32Array {
  const depths = new Int32Array(functions).fill(length);
  for (let row = 1; row < length; row++) depths[func[row]!] = Math.min(depths[func[row]!]!, depth[row]!);
  return depths;
}

/** `left`: of each function's delta, what no mover explains. Null where that is nowhere over half of it. */
function innermostUnexplained(
  { total }: Comparison,
  candidates: readonly number[],
  left: Float64Array,
  depths: Int32Array,
): number | null {
  const unexplained = candidates.filter((func) => Math.abs(left[func]!) > EXPLAINED * Math.abs(total[func]!.delta));
  const rank = Math.min(...unexplained.map((func) => CLASSES[total[func]!.verdict]));
  const [largest, ...others] = unexplained
    .filter((func) => CLASSES[total[func]!.verdict] === rank)
    .sort((a, b) => Math.abs(left[b]!) - Math.abs(left[a]!) || a - b);
  if (largest === undefined) return null;
  const isSameChange = (func: number): boolean => left[func]! / left[largest]! >= SAME_CHANGE;
  const weight = (func: number): number => Math.max(total[func]!.before, total[func]!.after);
  const isInner = (func: number, than: number): boolean =>
    weight(func) === weight(than) ? depths[func]! > depths[than]! : weight(func) < weight(than);
  return others.filter(isSameChange).reduce((best, func) => (isInner(func, best) ? func : best), largest);
}

function clearBelow({ length, func, end }: DeltaTree, change: Float64Array, cleared: number): void {
  for (let row = 1; row < length; row++) {
    if (func[row] !== cleared) continue;
    change.fill(0, row, end[row]);
    row = end[row]! - 1;
  }
}
