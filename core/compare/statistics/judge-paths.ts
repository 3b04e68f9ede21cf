import { subtreeTotals } from '../../analyze/tree/row-walk.ts';
import type { Comparison, ComparedSide } from '../comparison.ts';
import type { DeltaTree } from '../delta-tree.ts';
import { FALSE_DISCOVERY_RATE } from './false-discovery.ts';
import { subtreeColumns } from '../measure/function-sums.ts';
import { judgeRows, type Judgement } from './judge.ts';
import type { OnStep } from '../progress.ts';
import type { SumRows } from './sampling-variance.ts';
import { withholdPaths } from '../withheld-verdicts.ts';
import { captureColumns, observationsPerWeight, sideMeasures, type CaptureColumns } from '../measure/side-measures.ts';

/** Call paths that are tested in one comparison. */
export const MOST_TESTED_PATHS = 10_000;

export interface PathJudgements {
  /** Rows of the delta tree that were tested, ascending, and what was found of each one's total. One family. */
  readonly tested: Int32Array;
  readonly judgements: readonly Judgement[];
  /** Paths under a significant function that were not tested, being lighter than the 10,000. */
  readonly untested: number;
}

/** Tests the totals of call paths at and below functions whose self or total is a discovery: there is nothing to find elsewhere. */
export function judgePaths(
  comparison: Comparison,
  tree: DeltaTree,
  mostPaths = MOST_TESTED_PATHS,
  onStep: OnStep = () => undefined,
): PathJudgements {
  const candidates = pathsUnderDiscoveries(comparison, tree);
  const chosen = heaviest(tree, candidates, mostPaths);
  const slots = new Int32Array(tree.length).fill(-1);
  chosen.forEach((node, slot) => (slots[node] = slot));
  const captures = comparison.before.captures.length + comparison.after.captures.length;
  const sums = (side: 'before' | 'after', first: number): CaptureColumns[] =>
    columnsOf(comparison, side, ({ view, self, columns }, place) => {
      onStep('paths', (first + place) / captures);
      const found = new Float64Array(chosen.length * columns);
      const nodes = tree[side].nodes[place]!;
      const sumRows = (totals: Float64Array, to: Float64Array, width: number): void => {
        for (let row = 0; row < view.length; row++) {
          const slot = slots[nodes[row]!]!;
          if (slot >= 0) addColumns(to, slot, totals, row, width);
        }
      };
      if (chosen.length > 0) sumRows(subtreeColumns(view, self, columns), found, columns);
      return { sums: found, sumRows: (weights, to) => sumRows(subtreeTotals(view, weights), to, 1) };
    });
  const before = sums('before', 0);
  const after = sums('after', comparison.before.captures.length);
  const judged = judge(comparison, before, after, chosen.length, true);
  const judgements = withheld(
    comparison,
    judged,
    Int32Array.from(chosen, (node) => tree.func[node]!),
  );
  return { tested: chosen, judgements, untested: candidates.length - chosen.length };
}

/** The `most` rows with the largest total on either side, ascending; of equal ones the first. */
function heaviest({ before, after }: DeltaTree, rows: Int32Array, most: number): Int32Array {
  if (rows.length <= most) return rows;
  const weights = Float64Array.from(rows, (row) => Math.max(before.total[row]!, after.total[row]!));
  const least = weights.slice().sort()[rows.length - most]!;
  let ties = most - weights.reduce((count, weight) => count + (weight > least ? 1 : 0), 0);
  return rows.filter((_, place) => weights[place]! > least || (weights[place] === least && ties-- > 0));
}

/** One call path with its marginal interval, not tested: for what is pointed at. One pass over the rows of all captures. */
export function describePath(comparison: Comparison, tree: DeltaTree, node: number): Judgement {
  if (!(node > 0 && node < tree.length)) throw new RangeError(`row ${node} of a delta tree of ${tree.length}`);
  const end = tree.end[node]!;
  const sums = (side: 'before' | 'after'): CaptureColumns[] =>
    columnsOf(comparison, side, ({ view, self, columns }, place) => {
      const found = new Float64Array(columns);
      const nodes = tree[side].nodes[place]!;
      const sumRows = (weights: Float64Array, to: Float64Array, width: number): void => {
        for (let row = 0; row < view.length; row++) {
          if (nodes[row]! >= node && nodes[row]! < end) addColumns(to, 0, weights, row, width);
        }
      };
      sumRows(self, found, columns);
      return { sums: found, sumRows: (weights, to) => sumRows(weights, to, 1) };
    });
  const judged = judge(comparison, sums('before'), sums('after'), 1, false);
  return withheld(comparison, judged, [tree.func[node]!])[0]!;
}

function withheld(
  { before, after, matched }: Comparison,
  judgements: readonly Judgement[],
  func: ArrayLike<number>,
): readonly Judgement[] {
  const facts = [...before.captures, ...after.captures].map((capture) => capture.facts);
  return withholdPaths(judgements, func, facts, matched.table.functions);
}

/** Functions, by their place in the comparison, whose self or total is a discovery: 1. */
function discoveries({ self, total }: Comparison): Uint8Array {
  const isFound = ({ q }: Judgement): boolean => q !== null && q <= FALSE_DISCOVERY_RATE;
  return Uint8Array.from(self, (judgement, func) => (isFound(judgement) || isFound(total[func]!) ? 1 : 0));
}

function pathsUnderDiscoveries(comparison: Comparison, { length, func, parent }: DeltaTree): Int32Array {
  const isFound = discoveries(comparison);
  const isBelow = new Uint8Array(length);
  for (let node = 1; node < length; node++) isBelow[node] = isFound[func[node]!]! | isBelow[parent[node]!]!;
  const paths = new Int32Array(isBelow.reduce((sum, one) => sum + one, 0));
  let place = 0;
  for (let node = 1; node < length; node++) if (isBelow[node] === 1) paths[place++] = node;
  return paths;
}

/** Columns of what is looked at, and the same sums of one weight by row. */
type SumCapture = (
  capture: ComparedSide['captures'][number],
  place: number,
) => { readonly sums: Float64Array; readonly sumRows: SumRows };

function columnsOf(comparison: Comparison, side: 'before' | 'after', sum: SumCapture): CaptureColumns[] {
  const { captures, factors } = comparison[side];
  return captures.map((capture, place) => {
    const { sums, sumRows } = sum(capture, place);
    return captureColumns(capture, factors[place]!, sums, comparison.normalised.kind, sumRows);
  });
}

function addColumns(to: Float64Array, slot: number, from: Float64Array, row: number, columns: number): void {
  for (let column = 0; column < columns; column++) to[slot * columns + column]! += from[row * columns + column]!;
}

/** Variances of paths are moderated as functions' totals are. */
function judge(
  { design, normalised, prior }: Comparison,
  before: readonly CaptureColumns[],
  after: readonly CaptureColumns[],
  rows: number,
  isTested: boolean,
): readonly Judgement[] {
  const perWeight = observationsPerWeight([...before, ...after]);
  const measure = (side: readonly CaptureColumns[]) => sideMeasures(side, rows, normalised.kind, perWeight);
  return judgeRows(design, measure(before), measure(after), { isCandidate: () => isTested, prior }).judgements;
}
