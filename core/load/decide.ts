import { compareSweeps, testSteps, type LoadComparison, type TestedStep } from './compare-sweeps.ts';
import { concludedStep } from './conclude.ts';
import type { LoadMetric, LoadSweep } from './sweep.ts';

/** Turns of each side after which an experiment that goes on until it is decided looks at its results. */
export const LOOKS = [3, 4, 5, 6, 8, 10, 13, 16, 20, 25] as const;
/**
 * All looks together may err in 2.5 %, by Bonferroni: whoever looks often finds something by chance. The verdicts at the
 * end are a family of their own, at a false discovery rate of 5 %.
 */
const LEVEL = 0.025 / LOOKS.length;

/** How a metric changed; `smaller`: by less than the bound of an equivalence test. */
export type Decision = 'grew' | 'shrank' | 'smaller';

/** What an experiment goes on for. */
export interface Question {
  readonly metric: LoadMetric;
  /** Part of the value before: 0.05 for 5 %; null: only a change decides. */
  readonly smallerThan: number | null;
}

/** Decides the question at one step by what there is at a look; null: not yet. */
export function decide(
  sides: Pick<LoadComparison, 'before' | 'after'>,
  { metric, smallerThan }: Question,
  concurrency: number,
): Decision | null {
  const test = (factor: number) => testSteps(sides, metric, { factor, offset: 0 }, concurrency)[0];
  const change = test(1);
  if (change === undefined || change.p === null) return null;
  if (change.p <= LEVEL) return change.contrast > 0 ? 'grew' : 'shrank';
  if (smallerThan === null) return null;
  // Two one-sided tests: the p-values are two-sided.
  const [above, below] = [test(1 + smallerThan), test(1 - smallerThan)];
  const isCertain = (one: TestedStep | undefined, sign: 1 | -1): boolean =>
    one !== undefined && one.p !== null && one.p <= 2 * LEVEL && Math.sign(one.contrast) === sign;
  return isCertain(above, -1) && isCertain(below, 1) ? 'smaller' : null;
}

/** Decides a question as turns come, until its time is over. */
export interface Decider {
  /** After as many turns of each side; true ends the experiment. */
  readonly isDecided: (before: LoadSweep, after: LoadSweep, turns: number) => boolean;
  /** Null: not yet. */
  readonly decision: () => Decision | null;
}

/** `isLate` ends an undecided experiment; `onLook` is called if a turn did not decide. */
export function createDecider(question: Question, isLate: () => boolean, onLook: (turns: number) => void): Decider {
  let decision: Decision | null = null;
  let step: number | null = null;
  return {
    isDecided(before, after, turns) {
      if (LOOKS.some((look) => look === turns)) {
        // Chosen once: the step that looks best at each look would be another test each time.
        step ??= concludedStep(compareSweeps(before, after));
        if (step !== null) decision = decide({ before, after }, question, step);
      }
      if (decision === null) onLook(turns);
      return decision !== null || isLate();
    },
    decision: () => decision,
  };
}
