import { finish, type Steps } from '../steps.ts';
import { functionRef } from '../analyze/function-ref.ts';
import { OutermostRows, subtreeTotals } from '../analyze/view/row-walk.ts';
import type { Comparison } from './comparison.ts';
import type { DeltaTree } from './delta-tree.ts';
import { FALSE_DISCOVERY_RATE } from './statistics/false-discovery.ts';
import type { Judgement, Verdict } from './statistics/judge.ts';

/** A function that moved, either in its own weight (self) or in its total. */
export interface Mover {
  /** → the comparison's functions */
  readonly func: number;
  readonly column: 'self' | 'total';
  readonly judgement: Judgement;
}

export interface TopMovers {
  /** Functions that grew or shrank first, then suggestive ones, then unknown ones; by size within each class. */
  readonly movers: readonly Mover[];
  /** Number of functions whose self moved beyond `movers`. */
  readonly more: number;
  /** Functions whose total moved, too, but over half of it because of movers below them: callers of what changed. */
  readonly explained: readonly number[];
}

/**
 * Noise is not a mover. Unknown is one: for bytes without replicates, sizes are the only evidence. Undecided changes are
 * not: load or machine may have caused them.
 */
const CLASSES: Readonly<Record<Verdict, number>> = {
  grew: 0,
  shrank: 0,
  suggestive: 1,
  unknown: 2,
  noise: 3,
  'not-tested': 3,
  'not-decided': 3,
};

/** Returns whether the function moved; the test's result decides if the verdict is withheld. */
function hasMoved({ verdict, withheld, q }: Judgement): boolean {
  if (withheld !== undefined) return q !== null && q <= FALSE_DISCOVERY_RATE;
  return CLASSES[verdict] < CLASSES.noise;
}

/** Share of a total's delta that movers below it must explain for it not to be a mover itself. */
const EXPLAINED = 0.5;
/**
 * Among functions that call each other in a chain, the innermost that still has this share of the largest delta
 * represents the change.
 */
const SAME_CHANGE = 0.8;

/**
 * Returns the functions that changed, instead of all of their callers: the ones whose self moved. If a total moved and
 * movers below it do not explain it (small changes of many functions, none of them clear), the innermost such function
 * is a mover, too.
 */
export function topMovers(comparison: Comparison, tree: DeltaTree, most: number): TopMovers {
  return finish(topMoverSteps(comparison, tree, most));
}

/** Like {@link topMovers}, in pieces. */
export function* topMoverSteps(comparison: Comparison, tree: DeltaTree, most: number): Steps<TopMovers> {
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
    yield;
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
  /** The function's own delta. */
  readonly size: number;
}

function byRank({ matched: { table }, growthFirst }: Comparison): (a: Ranked, b: Ranked) => number {
  return (a, b) => {
    const ranks = CLASSES[a.judgement.verdict] - CLASSES[b.judgement.verdict];
    if (ranks !== 0) return ranks;
    const grew = ({ judgement }: Ranked): number => (growthFirst && judgement.delta > 0 ? 1 : 0);
    if (grew(a) !== grew(b)) return grew(b) - grew(a);
    if (a.size !== b.size) return b.size - a.size;
    const [one, other] = [functionRef(table, a.func), functionRef(table, b.func)];
    if (one.name !== other.name) return one.name < other.name ? -1 : 1;
    return one.module < other.module ? -1 : 1;
  };
}

/** Returns each function's total from the tree's rows, which are in pre-order. A recursive function counts once. */
function functionTotals(tree: DeltaTree, self: Float64Array, functions: number): Float64Array {
  const rowTotals = subtreeTotals(tree, self);
  const totals = new Float64Array(functions);
  const outermost = new OutermostRows(functions);
  for (let row = 1; row < tree.length; row++) {
    const func = tree.func[row]!;
    if (outermost.enter(func, row, tree.end[row]!)) totals[func]! += rowTotals[row]!;
  }
  return totals;
}

/** Returns the depth of each function's outermost row. */
function outermostDepths({ length, func, depth }: DeltaTree, functions: number): Int32Array {
  const depths = new Int32Array(functions).fill(length);
  for (let row = 1; row < length; row++) depths[func[row]!] = Math.min(depths[func[row]!]!, depth[row]!);
  return depths;
}

/**
 * Returns the innermost function whose total no mover explains. `left` is the unexplained part of each function's
 * delta; null if it is nowhere over half of the delta.
 */
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
