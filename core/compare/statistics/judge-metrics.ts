import type { Steps } from '../../steps.ts';
import { judgeFamily, type FamilyJudgement } from './judge-family.ts';
import { judgeRows, judgeSteps, type Judgement, type Metric } from './judge.ts';
import { designComparison, estimateRow, type ComparisonDesign, type SideMeasures } from '../measure/measures.ts';
import type { RunEvidence } from './runs-needed.ts';
import type { Contrast } from './test-row.ts';
import { varyTogether, type VariancePrior } from './variance-prior.ts';
import { SIDES } from '../../contract/side.ts';

/** Both sides of the same rows. */
export interface MeasuredPair {
  readonly before: SideMeasures;
  readonly after: SideMeasures;
}

/** Self and total of all functions, with the same function in the same row, and each whole capture as one row. */
export interface MeasuredMetrics {
  readonly self: MeasuredPair;
  readonly total: MeasuredPair;
  readonly whole: MeasuredPair;
}

export interface JudgedMetrics {
  readonly design: ComparisonDesign;
  /** By function. */
  readonly self: readonly Judgement[];
  readonly total: readonly Judgement[];
  /** Judgement of the whole captures, which form a family of their own. */
  readonly whole: Judgement;
  /** What the functions' totals reveal about each other's variances. */
  readonly prior: VariancePrior;
  /** Determines the number of runs that a function needs, at the level of its tier among all functions. */
  readonly evidence: (metric: Metric, func: number) => RunEvidence | null;
  /** Judges a contrast of some functions as a family of their own, see {@link judgeFamily}. */
  readonly judgeFamily: (metric: Metric, functions: readonly number[], contrast?: Contrast) => FamilyJudgement[];
}

/** Judges the selves of all functions only, as {@link judgeMetricSteps} does. */
export function* judgeSelfSteps({ self, whole }: MeasuredMetrics): Steps<readonly Judgement[]> {
  const design = designComparison(self.before.captures, self.after.captures);
  return (yield* judgeSteps(design, self.before, self.after, judgeWhole(design, whole))).judgements;
}

/** Returns what the judgement of functions needs of the whole captures. */
const judgeWhole = (design: ComparisonDesign, { before, after }: MeasuredPair) => ({
  whole: judgeRows(design, before, after).judgements[0]!,
  isCommon: varyTogether(estimateRow(design, before, after, 0)),
});

/**
 * Judges the selves and the totals of all functions, each as a family; a leaf is tested once, among the selves.
 * `unevenness`: see {@link ComparisonDesign}.
 */
export function* judgeMetricSteps(metrics: MeasuredMetrics, unevenness = 0): Steps<JudgedMetrics> {
  const { self, total } = metrics;
  const design = { ...designComparison(self.before.captures, self.after.captures), unevenness };
  const { whole, isCommon } = judgeWhole(design, metrics.whole);
  const leaves = findLeaves(self, total);
  const isLeaf = (row: number): boolean => leaves[row] === 1;
  const judged = {
    self: yield* judgeSteps(design, self.before, self.after, { whole, isCommon }),
    total: yield* judgeSteps(design, total.before, total.after, {
      whole,
      isCommon,
      isCandidate: (row) => !isLeaf(row),
    }),
  };
  return {
    design,
    self: judged.self.judgements,
    total: judged.total.judgements.map((of, row) => (isLeaf(row) ? judged.self.judgements[row]! : of)),
    whole,
    prior: judged.total.prior,
    evidence: (metric, func) => judged[isLeaf(func) ? 'self' : metric].evidence(func),
    judgeFamily: (metric, functions, contrast) => {
      const priorOf = (row: number): VariancePrior => judged[isLeaf(row) ? 'self' : metric].prior;
      return judgeFamily({ design, ...metrics[metric], priorOf, whole }, functions, contrast);
    },
  };
}

/** Returns 1 for each function whose total equals its self in every capture. */
function findLeaves(self: MeasuredPair, total: MeasuredPair): Uint8Array {
  const leaves = new Uint8Array(self.before.rows).fill(1);
  for (const side of SIDES) {
    const captures = self[side].captures.length;
    const [own, all] = [self[side].value, total[side].value];
    for (let at = 0; at < own.length; at++) if (own[at] !== all[at]) leaves[Math.floor(at / captures)] = 0;
  }
  return leaves;
}
