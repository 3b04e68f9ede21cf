import { finish, inPieces, type Steps } from '../steps.ts';
import type { Comparison, ComparedSide, OnStep } from './comparison.ts';
import type { DeltaTree } from './delta-tree.ts';
import { FALSE_DISCOVERY_RATE } from './statistics/false-discovery.ts';
import { subtreeColumns } from './measure/function-sums.ts';
import { judgeSteps, type Judgement } from './statistics/judge.ts';
import { isUndecided, notDecided } from './statistics/judge-by-size.ts';
import type { AddSample } from './measure/sampling-variance.ts';
import { withholdPaths } from './withheld-verdicts.ts';
import { captureColumns, observationsPerWeight, sideMeasures, type CaptureColumns } from './measure/side-measures.ts';
import type { Side } from '../contract/side.ts';

/** Maximum number of call paths tested in one comparison. */
export const MOST_TESTED_PATHS = 10_000;

export interface PathJudgements {
  /** Rows of the delta tree that were tested, in ascending order, and the judgement of each one's total. One family. */
  readonly tested: Int32Array;
  readonly judgements: readonly Judgement[];
  /** Number of paths under a significant function that were not tested because 10,000 others are heavier. */
  readonly untested: number;
}

/**
 * Tests the totals of call paths at and below functions whose self or total is a discovery; there is nothing to find
 * elsewhere.
 */
export function judgePaths(
  comparison: Comparison,
  tree: DeltaTree,
  mostPaths = MOST_TESTED_PATHS,
  onStep: OnStep = () => undefined,
): PathJudgements {
  return finish(judgePathSteps(comparison, tree, mostPaths, onStep));
}

/** Like {@link judgePaths}, in pieces. */
export function* judgePathSteps(
  comparison: Comparison,
  tree: DeltaTree,
  mostPaths: number,
  onStep: OnStep = () => undefined,
): Steps<PathJudgements> {
  const candidates = pathsUnderDiscoveries(comparison, tree);
  yield;
  const chosen = yield* heaviest(tree, candidates, mostPaths);
  yield;
  const slots = new Int32Array(tree.length).fill(-1);
  chosen.forEach((node, slot) => (slots[node] = slot));
  const captures = comparison.before.captures.length + comparison.after.captures.length;
  const sums = (side: Side, first: number): Steps<CaptureColumns[]> =>
    columnsOf(comparison, side, function* ({ view, self, columns }, place) {
      onStep('paths', (first + place) / captures);
      const found = new Float64Array(chosen.length * columns);
      const nodes = tree[side].nodes[place]!;
      if (chosen.length > 0) {
        const totals = yield* subtreeColumns(view, self, columns);
        for (let row = 0; row < view.length; row++) {
          const slot = slots[nodes[row]!]!;
          if (slot >= 0) addColumns(found, slot, totals, row, columns);
        }
      }
      yield;
      return {
        sums: found,
        addSample: (to, row, weight) => {
          for (let at = row; at >= 0; at = view.parent[at]!) {
            const slot = slots[nodes[at]!]!;
            if (slot >= 0) to[slot]! += weight;
          }
        },
      };
    });
  const before = yield* sums('before', 0);
  const after = yield* sums('after', comparison.before.captures.length);
  const judged = yield* judge(comparison, before, after, chosen.length, true);
  const judgements = withheld(
    comparison,
    judged,
    Int32Array.from(chosen, (node) => tree.func[node]!),
  );
  return { tested: chosen, judgements, untested: candidates.length - chosen.length };
}

/** Returns the `most` rows with the largest total on either side, in ascending order; the first ones among equals. */
function* heaviest({ before, after }: DeltaTree, rows: Int32Array, most: number): Steps<Int32Array> {
  if (rows.length <= most) return rows;
  const weights = new Float64Array(rows.length);
  /** The largest weights so far, in ascending order: sorting all at once would block a page. */
  let kept = new Float64Array(0);
  yield* inPieces(weights.length, (first, end) => {
    for (let place = first; place < end; place++) {
      weights[place] = Math.max(before.total[rows[place]!]!, after.total[rows[place]!]!);
    }
    const all = new Float64Array(kept.length + end - first);
    all.set(kept);
    all.set(weights.subarray(first, end), kept.length);
    kept = all.sort().slice(-most);
  });
  yield;
  const least = kept[0]!;
  let ties = most - weights.reduce((count, weight) => count + (weight > least ? 1 : 0), 0);
  return rows.filter((_, place) => weights[place]! > least || (weights[place] === least && ties-- > 0));
}

/**
 * Describes one call path without a test or an interval: for the path under the pointer. Takes one pass over the rows
 * of all captures.
 */
export function describePath(comparison: Comparison, tree: DeltaTree, node: number): Judgement {
  if (!(node > 0 && node < tree.length)) throw new RangeError(`row ${node} of a delta tree of ${tree.length}`);
  const end = tree.end[node]!;
  const sums = (side: Side): Steps<CaptureColumns[]> =>
    columnsOf(comparison, side, function* ({ view, self, columns }, place) {
      const found = new Float64Array(columns);
      const nodes = tree[side].nodes[place]!;
      const isBelow = (row: number): boolean => nodes[row]! >= node && nodes[row]! < end;
      for (let row = 0; row < view.length; row++) if (isBelow(row)) addColumns(found, 0, self, row, columns);
      yield;
      return {
        sums: found,
        addSample: (to, row, weight) => {
          if (isBelow(row)) to[0]! += weight;
        },
      };
    });
  const judged = finish(judge(comparison, finish(sums('before')), finish(sums('after')), 1, false));
  return withheld(comparison, judged, [tree.func[node]!])[0]!;
}

function withheld(
  { before, after, matched, sizes }: Comparison,
  judgements: readonly Judgement[],
  func: ArrayLike<number>,
): readonly Judgement[] {
  const facts = [...before.captures, ...after.captures].map((capture) => capture.facts);
  const judged = isUndecided(sizes) ? judgements.map(notDecided) : judgements;
  return withholdPaths(judged, func, facts, matched.table.functions);
}

/** Returns 1 for each function of the comparison whose self or total is a discovery. */
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

/** Returns the columns of the rows in question, and what adds one sample to the same sums. */
type SumCapture = (
  capture: ComparedSide['captures'][number],
  place: number,
) => Steps<{ readonly sums: Float64Array; readonly addSample: AddSample }>;

function* columnsOf(comparison: Comparison, side: Side, sum: SumCapture): Steps<CaptureColumns[]> {
  const { captures, factors } = comparison[side];
  const all: CaptureColumns[] = [];
  for (const [place, capture] of captures.entries()) {
    const { sums, addSample } = yield* sum(capture, place);
    all.push(yield* captureColumns(capture, factors[place]!, sums, comparison.normalised.kind, addSample));
  }
  return all;
}

function addColumns(to: Float64Array, slot: number, from: Float64Array, row: number, columns: number): void {
  for (let column = 0; column < columns; column++) to[slot * columns + column]! += from[row * columns + column]!;
}

/** Moderates the variances of paths like those of functions' totals. */
function* judge(
  { design, normalised, prior }: Comparison,
  before: readonly CaptureColumns[],
  after: readonly CaptureColumns[],
  rows: number,
  isTested: boolean,
): Steps<readonly Judgement[]> {
  const perWeight = observationsPerWeight([...before, ...after]);
  const measure = (side: readonly CaptureColumns[]) => sideMeasures(side, rows, normalised.kind, perWeight);
  const { judgements } = yield* judgeSteps(design, measure(before), measure(after), {
    isCandidate: () => isTested,
    prior,
  });
  return judgements;
}
