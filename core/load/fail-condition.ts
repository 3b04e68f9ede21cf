import { LEAST_REPLICATES } from '../compare/measure/measures.ts';
import { runsToDecide } from '../compare/statistics/runs-needed.ts';
import type { Contrast } from '../compare/statistics/test-row.ts';
import { stepsWithout, testSteps, type LoadComparison, type TestedStep } from './compare-sweeps.ts';
import { LOAD_METRICS, type LoadMetric } from './sweep.ts';
import type { Side } from '../contract/side.ts';

/** A condition on a load test: what must not happen. */
export interface LoadCondition {
  /** As typed, without surrounding spaces. */
  readonly text: string;
  readonly metric: LoadMetric;
  /** Null: at all steps that both sides have. */
  readonly concurrency: number | null;
  readonly comparison: '>' | '<';
  /** Limit of after − before: for `%` relative to before in percent, for `pp` in percentage points, for `ms` in ms. */
  readonly limit: number;
  readonly unit: '%' | 'pp' | 'ms' | 'abs';
}

/** Why a condition cannot be read, or is about a step that does not exist. */
export class LoadConditionError extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'LoadConditionError';
    this.remedy = remedy;
  }
}

const FORM =
  /^\s*([\w.]+)\s*(?:@\s*(\d{1,9}))?\s*(>|<)\s*([+\-−]?)((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)\s*(\D*?)\s*$/i;

const EXAMPLE = "write it as in 'p99 > +10%' or 'qps@1000 < -5%'";

/** Problem of a limit of -100 % and below, and its remedy. */
export const BELOW_ALL = ['nothing can shrink by more than 100 %', 'give a number above -100 %'] as const;

/** Parses `metric[@concurrency] > limit unit`. Throws {@link LoadConditionError}. */
export function parseLoadCondition(written: string): LoadCondition {
  const parts = FORM.exec(written);
  if (parts === null) throw new LoadConditionError('not of the form metric > number unit', EXAMPLE);
  const [, name, at, comparison, sign, number, unit] = parts;
  const metric = LOAD_METRICS.find(({ id }) => id === name!.toLowerCase());
  if (metric === undefined) {
    throw new LoadConditionError(`unknown metric '${name}'`, `use ${LOAD_METRICS.map(({ id }) => id).join(', ')}`);
  }
  const units = metric.unit === 'ratio' ? ['%', 'pp'] : metric.unit === 'seconds' ? ['%', 'ms'] : ['%', 'abs'];
  if (!units.includes(unit!))
    throw new LoadConditionError(`'${unit}' is not a unit of ${metric.id}`, `use ${units.join(' or ')}`);
  const limit = Number(`${sign === '−' ? '-' : sign}${number}`);
  if (unit === '%' && limit <= -100) throw new LoadConditionError(...BELOW_ALL);
  return {
    text: written.trim(),
    metric,
    concurrency: at === undefined ? null : Number(at),
    comparison: comparison as '>' | '<',
    limit,
    unit: unit as LoadCondition['unit'],
  };
}

/** How one step relates to the limit, as for functions in `flamebench diff`. */
export interface StepEvidence {
  readonly step: TestedStep;
  readonly state: 'beyond' | 'within' | 'undecided';
  /** Total number of runs per side that would decide it; null if it is decided, or if no number can be given. */
  readonly runsToSettle: number | null;
}

export interface LoadConditionResult {
  readonly condition: LoadCondition;
  /**
   * `failed`: a step is beyond the limit. `inconclusive`: none is, and one is undecided, or has runs without a value, or
   * there is none.
   */
  readonly status: 'failed' | 'inconclusive' | 'passed';
  readonly steps: readonly StepEvidence[];
  /** Steps of before in which not every run of a side reports the metric, as if the server had failed. */
  readonly missingBefore: readonly (number | null)[];
  readonly missingAfter: readonly (number | null)[];
}

/**
 * Evaluates a condition. A step is beyond or within the limit if its whole interval is; without replicates, nothing is
 * decided. Throws {@link LoadConditionError} if neither side has the condition's step.
 */
export function judgeLoadCondition(comparison: LoadComparison, condition: LoadCondition): LoadConditionResult {
  const { metric, concurrency, comparison: direction } = condition;
  refuseUnknownStep(comparison, concurrency);
  const sign = direction === '>' ? 1 : -1;
  const steps = testSteps(comparison, metric, contrastOf(condition), concurrency ?? undefined).map(
    (step): StepEvidence => {
      const state =
        !step.design.isReplicated || step.side === 0 ? 'undecided' : step.side === sign ? 'beyond' : 'within';
      return { step, state, runsToSettle: state === 'undecided' ? settledBy(step) : null };
    },
  );
  const missing = (side: Side): (number | null)[] =>
    stepsWithout(comparison, metric, side).filter((step) => concurrency === null || step === concurrency);
  const [missingBefore, missingAfter] = [missing('before'), missing('after')];
  const isOpen = steps.length === 0 || missingBefore.length + missingAfter.length > 0;
  const has = (state: StepEvidence['state']): boolean => steps.some((one) => one.state === state);
  return {
    condition,
    status: has('beyond') ? 'failed' : has('undecided') || isOpen ? 'inconclusive' : 'passed',
    steps,
    missingBefore,
    missingAfter,
  };
}

function refuseUnknownStep({ before, after }: LoadComparison, asked: number | null): void {
  const known = [...new Set([...before.steps, ...after.steps].flatMap(({ concurrency }) => concurrency ?? []))];
  if (asked === null || known.includes(asked)) return;
  throw new LoadConditionError(
    `neither side has a step @${asked}`,
    known.length === 0 ? `leave @${asked} out` : `the steps are ${known.sort((a, b) => a - b).join(', ')}`,
  );
}

/** Returns the contrast whose sign says whether a change exceeds the limit: positive for `>`, negative for `<`. */
export function contrastOf({ unit, limit }: Pick<LoadCondition, 'unit' | 'limit'>): Contrast {
  if (unit === '%') return { factor: 1 + limit / 100, offset: 0 };
  return { factor: 1, offset: unit === 'pp' ? limit / 100 : unit === 'ms' ? limit / 1000 : limit };
}

const settledBy = (step: TestedStep): number | null =>
  step.design.isReplicated ? runsToDecide(step.design, step) : LEAST_REPLICATES;
