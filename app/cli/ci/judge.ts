import type { Comparison } from '#core/compare/comparison.ts';
import { HEAVY_SHARE } from '#core/compare/statistics/false-discovery.ts';
import { selfTest, type SelfTestReport } from '#core/compare/statistics/self-test.ts';
import { rankFunctions } from '#core/compare/rank-functions.ts';
import { explainComparison } from '#core/explain/explain-comparison.ts';
import type { Explanation, ExplanationContext } from '#core/explain/explanation.ts';
import { compareSides, sidesOfExperiment } from '../diff/captures.ts';
import { judgeConditions, type ConditionResult } from '../diff/fail-evidence.ts';
import type { FailCondition } from '../diff/fail-condition.ts';
import { comparisonContext } from '../explain/context.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';

/** The smallest change of a function that the runs would have shown with 80 % power, relative to before. */
export interface SmallestChange {
  readonly function: string;
  readonly change: number;
}

/** What the runs of a benchmark show. */
export interface Judged {
  readonly comparison: Comparison;
  readonly conditions: readonly ConditionResult[];
  readonly explanation: Explanation;
  readonly context: ExplanationContext;
  /** The method on these runs, split into A and A; null with fewer than six. */
  readonly selfTest: SelfTestReport | null;
  /** Of the heaviest functions. */
  readonly smallest: readonly SmallestChange[];
}

const MOST_SMALLEST = 3;

/** Compares the sides of an experiment that was recorded in turn, as `flamebench diff` does. */
export async function judgeExperiment(
  id: string,
  conditions: readonly FailCondition[],
  library: string | undefined,
): Promise<Judged> {
  const { inputs, sides } = await sidesOfExperiment(id, library);
  const comparison = await compareSides(sides);
  return {
    comparison,
    conditions: await judgeConditions(conditions, comparison, {
      allowSingle: false,
      patterns: createLimitedPatternRunner(() => '--fail-on'),
      shares: () => compareSides(sides, 'share'),
    }),
    explanation: explainComparison(comparison, 'in turn'),
    context: comparisonContext(inputs, library),
    selfTest: selfTest(comparison, { slowdown: 0.05, functions: null, isOneProgram: false }),
    smallest: smallestChanges(comparison),
  };
}

function smallestChanges(comparison: Comparison): SmallestChange[] {
  return rankFunctions(comparison, 'self')
    .filter(({ presence }) => presence === 'both')
    .sort((a, b) => b.self.before - a.self.before)
    .filter(({ self }) => self.before >= HEAVY_SHARE * comparison.whole.before)
    .flatMap(({ name, func }) => {
      const change = comparison.advice('self', func)?.smallest ?? null;
      return change === null ? [] : [{ function: name, change }];
    })
    .slice(0, MOST_SMALLEST);
}
