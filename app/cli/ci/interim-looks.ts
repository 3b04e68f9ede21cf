import { FALSE_DISCOVERY_RATE, HEAVY_SHARE } from '#core/compare/statistics/false-discovery.ts';
import type { ConditionResult, Evidence } from '../diff/fail-evidence.ts';

/** `failed`: confirmed beyond a limit. `inconclusive`: the budget ended before that, or its opposite, was clear. */
export type GateDecision = 'failed' | 'passed' | 'inconclusive';

/** The parts of a condition's result that decide. */
export interface JudgedCondition extends Pick<ConditionResult, 'status'> {
  readonly condition: Pick<ConditionResult['condition'], 'comparison'>;
  readonly matched: readonly (Pick<Evidence, 'state'> & {
    readonly family: Pick<Evidence['family'], 'q' | 'share' | 'contrast'>;
  })[];
}

/** One of several looks at a growing number of runs. */
interface Look {
  /** Number of looks that all benchmarks may have together: each decides at this part of the error (Bonferroni). */
  readonly looks: number;
  readonly isLast: boolean;
  /** Passes what no run shows to be beyond the limit; else that has to be shown, too. */
  readonly passesUndecided: boolean;
}

/** Most looks at one benchmark. */
export const MOST_LOOKS = 3;
/** A function with so little evidence of a change is not worth more runs. */
const SUSPICIOUS_Q = 0.9;

/**
 * Returns the numbers of pairs at which the gate looks: from the first to the last, in steps of equal factor. All are
 * even, so that each step is recorded in the order A B B A.
 */
export function looksAt(first: number, last: number): number[] {
  const even = (value: number): number => 2 * Math.max(2, Math.round(value / 2));
  const factor = (last / first) ** (1 / (MOST_LOOKS - 1));
  return [...new Set(Array.from({ length: MOST_LOOKS }, (_, look) => even(first * factor ** look)))];
}

/**
 * Decides by the conditions of `--fail-on` what the runs so far show; null: more runs are needed. Whoever looks several
 * times finds something by chance, so that a look decides only at its part of the error.
 */
export function decideLook(
  results: readonly JudgedCondition[],
  { looks, isLast, passesUndecided }: Look,
): GateDecision | null {
  const isSure = ({ family: { q } }: JudgedCondition['matched'][number]): boolean =>
    q !== null && q <= FALSE_DISCOVERY_RATE / looks;
  if (results.some(({ matched }) => matched.some((one) => one.state === 'beyond' && isSure(one)))) return 'failed';
  if (passesUndecided) return isLast || !results.some(isSuspicious) ? 'passed' : null;
  const isClear = results.every(({ status }) => status === 'passed');
  const relevant = results.flatMap(({ matched }) => matched.filter(({ family }) => family.share >= HEAVY_SHARE));
  if (isClear && (isLast || relevant.every(isSure))) return 'passed';
  return isLast ? 'inconclusive' : null;
}

/** Returns whether a function that has some weight may be beyond the limit. */
function isSuspicious({ condition, matched }: JudgedCondition): boolean {
  const sign = condition.comparison === '>' ? 1 : -1;
  return matched.some(
    ({ state, family: { q, share, contrast } }) =>
      state !== 'within' && share >= HEAVY_SHARE && Math.sign(contrast) === sign && q !== null && q <= SUSPICIOUS_Q,
  );
}
