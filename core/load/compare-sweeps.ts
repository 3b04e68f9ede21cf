import {
  designComparison,
  estimateRow,
  type CaptureDesign,
  type ComparisonDesign,
  type RowEstimate,
  type SideMeasures,
} from '../compare/measure/measures.ts';
import { controlFamily } from '../compare/statistics/false-discovery.ts';
import { resultOf, type FamilyResult } from '../compare/statistics/judge-family.ts';
import { judge, type Judgement } from '../compare/statistics/judge.ts';
import { ANY_CHANGE, testRow, type Contrast, type RowTest } from '../compare/statistics/test-row.ts';
import { comparePopulations } from './describe-answers.ts';
import { andText } from './load-text.ts';
import { compareGrowth, type SeriesGrowth } from './series/growth.ts';
import { NO_PRIOR } from '../compare/statistics/variance-prior.ts';
import type { LoadResult } from '../contract/load/result.ts';
import { SIDES, type Side } from '../contract/side.ts';
import { LOAD_METRICS, pairedNames, type AnyMetric, type LoadMetric, type LoadStep, type LoadSweep } from './sweep.ts';

/** The tested metrics. The others are only shown, because they add nothing to these. */
const TESTED: ReadonlySet<string> = new Set<AnyMetric['id']>([
  'qps',
  'success',
  'mean',
  'p50',
  'p90',
  'p99',
  'max',
  'percore',
  'cpu',
  'cores',
  'others',
  'series',
]);

const TESTED_LABELS = LOAD_METRICS.filter(({ id }) => TESTED.has(id)).map(({ label }) => label);

/** What is tested, and how. */
export const FAMILY_TEXT = `verdicts: Welch’s t over the runs of each step; ${andText(TESTED_LABELS)} of all steps are one family at a false discovery rate of 5 %; other metrics are not tested`;

/** One metric of one step that both sides have. */
export interface ComparedMetric {
  readonly metric: AnyMetric;
  readonly judgement: Judgement;
  /** By run; only runs that report the metric. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface ComparedStep {
  readonly concurrency: number | null;
  readonly design: ComparisonDesign;
  /** Only metrics that both sides report. */
  readonly metrics: readonly ComparedMetric[];
}

export interface LoadComparison {
  readonly before: LoadSweep;
  readonly after: LoadSweep;
  /** Steps that both sides have, by concurrency. */
  readonly steps: readonly ComparedStep[];
  /** Concurrencies that one side lacks. */
  readonly onlyBefore: readonly (number | null)[];
  readonly onlyAfter: readonly (number | null)[];
  /** Which series grew without bound on which side; one sentence each. */
  readonly growth: readonly string[];
  /** Populations of latencies, and what probes show, by step and side; one sentence each. */
  readonly populations: readonly string[];
  /** What limits the comparison: tools or targets differ; one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Compares two sweeps step by step, with the statistics of captures: the runs of a step are replicates, tested by
 * Welch's t; all tested metrics of all steps are one family, so that a server compared with itself has a false
 * discovery in at most 5 % of comparisons.
 */
export function compareSweeps(before: LoadSweep, after: LoadSweep): LoadComparison {
  const pairs = pairSteps(before, after);
  const rows = pairs.flatMap((pair) => LOAD_METRICS.flatMap((metric) => measureRow(pair, metric) ?? []));
  const judged = judgeFamily(rows);
  return {
    before,
    after,
    steps: pairs.map((pair) => ({
      concurrency: pair.before.concurrency,
      design: designOf(pair),
      metrics: judged
        .filter((row) => row.pair === pair)
        .map(({ metric, judgement, values }) => ({ metric, judgement, ...values })),
    })),
    onlyBefore: lacking(before, after),
    onlyAfter: lacking(after, before),
    growth: comparedGrowth(before, after),
    populations: [
      ...comparePopulations(before, after),
      ...SIDES.flatMap(
        (side) => ({ before, after })[side].probed?.map((said) => `${said.replace(/\.$/, '')} (${side}).`) ?? [],
      ),
    ],
    warnings: warningsOf(before, after),
  };
}

/** Compares the series that grew, those of paired components with each other. */
function comparedGrowth(before: LoadSweep, after: LoadSweep): string[] {
  const nameOf = pairedNames(before, after);
  const grown = ({ growth = [] }: LoadSweep): SeriesGrowth[] =>
    growth.map((one) => {
      const [source = '', ...rest] = one.key.split('\0');
      return { ...one, key: [nameOf(source), ...rest].join('\0'), source: nameOf(one.source) };
    });
  const read = ({ readSources = new Set() }: LoadSweep): Set<string> => new Set([...readSources].map(nameOf));
  const sources = { before: read(before), after: read(after) };
  return compareGrowth(grown(before), grown(after), (side, source) => sources[side].has(source));
}

/** Judges rows as one family of tests. */
export function judgeFamily<Row extends MeasuredRow>(
  rows: readonly Row[],
): (Row & { readonly judgement: Judgement })[] {
  const family = rows.filter(({ metric, test }) => TESTED.has(metric.id) && test.p !== null);
  const { q, level } = controlFamily(family.map(({ test }) => test.p!));
  const placeOf = new Map(family.map((row, place) => [row, { q: q[place]!, level }]));
  return rows.map((row) => ({
    ...row,
    judgement: withoutUntestedClaims(row, judge(row.design, row.estimate, row.test, placeOf.get(row) ?? null)),
  }));
}

/** Equal values without a test are no evidence that nothing changed. */
function withoutUntestedClaims({ metric, test }: MeasuredRow, judgement: Judgement): Judgement {
  if (!TESTED.has(metric.id)) return { ...judgement, verdict: 'not-tested' };
  return test.p === null ? { ...judgement, verdict: 'unknown' } : judgement;
}

/** A step of both sides. */
export interface StepPair {
  readonly before: LoadStep;
  readonly after: LoadStep;
}

/** A metric of a step, before it is judged with its family. */
export interface MeasuredRow {
  readonly pair: StepPair;
  readonly metric: AnyMetric;
  readonly design: ComparisonDesign;
  readonly estimate: RowEstimate;
  readonly test: RowTest;
  readonly values: Pick<ComparedMetric, 'before' | 'after'>;
}

/** Returns the steps that both sides have. */
export const pairSteps = (before: LoadSweep, after: LoadSweep): StepPair[] =>
  before.steps.flatMap((step) => {
    const other = after.steps.find(({ concurrency }) => concurrency === step.concurrency);
    return other === undefined ? [] : [{ before: step, after: other }];
  });

const lacking = (one: LoadSweep, other: LoadSweep): (number | null)[] =>
  one.steps
    .map(({ concurrency }) => concurrency)
    .filter((concurrency) => !other.steps.some((step) => step.concurrency === concurrency));

const designOf = ({ before, after }: StepPair): ComparisonDesign =>
  designComparison(before.runs.map(captureDesign), after.runs.map(captureDesign));

/** Treats all runs of a comparison as runs on one host, because one tool made them against one target. */
const captureDesign = ({ seconds }: { readonly seconds: number | null }): CaptureDesign => ({
  host: null,
  exposure: seconds ?? 1,
  isTimed: false,
  isCount: false,
});

/** Returns null if one side does not report the metric. */
export function measureRow<Metric extends AnyMetric>(
  pair: StepPair,
  metric: Metric,
  contrast: Contrast = ANY_CHANGE,
): (MeasuredRow & { readonly metric: Metric }) | null {
  const [before, after] = [withMetric(pair.before, metric), withMetric(pair.after, metric)];
  if (before.runs.length === 0 || after.runs.length === 0) return null;
  const measured = { before, after };
  const design = designOf(measured);
  const estimate = estimateRow(
    design,
    measuresOf(before, metric, design.isReplicated),
    measuresOf(after, metric, design.isReplicated),
    0,
  );
  return {
    pair,
    metric,
    design,
    estimate,
    test: testRow(design, estimate, NO_PRIOR, contrast),
    values: { before: readAll(before, metric), after: readAll(after, metric) },
  };
}

const withMetric = (step: LoadStep, metric: AnyMetric): LoadStep => ({
  ...step,
  runs: step.runs.filter((run) => metric.read(run) !== null),
});

const readAll = (step: LoadStep, metric: AnyMetric): number[] => step.runs.map((run) => metric.read(run)!);

function measuresOf(step: LoadStep, metric: AnyMetric, isReplicated: boolean): SideMeasures {
  const value = Float64Array.from(readAll(step, metric));
  const variance = Float64Array.from(step.runs, (run, place) =>
    Math.max(leastVariance(metric, value[place]!, run.requests, isReplicated), metric.variance?.(run) ?? 0),
  );
  return {
    rows: 1,
    captures: step.runs.map(captureDesign),
    value,
    sampling: { count: variance, coarse: variance, fine: variance },
    samples: Float64Array.from(step.runs, ({ requests }) => requests ?? 1),
  };
}

/**
 * Tools print latencies with three digits, so equal ones may differ by 1 %, and QPS with two decimals: 0.01 % of 100.
 */
const PRINTED_STEP = { latency: 0.01, qps: 0.0001 };

/**
 * Returns the least variance that a run's value has: for a success rate that of a binomial share with a success and a
 * failure added (Agresti & Coull 1998), so that 100 % is not certain; for others that of rounding, so that three equal
 * runs do not prove that the next one is equal. A single run says nothing about the variation of QPS and latency: NaN.
 */
function leastVariance({ id, unit }: AnyMetric, value: number, requests: number | null, isReplicated: boolean): number {
  if (id === 'success') {
    if (requests === null || requests === 0) return isReplicated ? 1e-8 : Number.NaN;
    const share = (value * requests + 1) / (requests + 2);
    return (share * (1 - share)) / requests;
  }
  if (!isReplicated) return Number.NaN;
  return (value * (unit === '' ? PRINTED_STEP.qps : PRINTED_STEP.latency)) ** 2 / 12;
}

function warningsOf(before: LoadSweep, after: LoadSweep): string[] {
  const differing = (label: string, read: (sweep: LoadSweep) => readonly string[]): string[] => {
    const [one, other] = [read(before), read(after)];
    return one.length === 0 || other.length === 0 || one.join() === other.join()
      ? []
      : [`${label} differ: ${one.join(', ')} before, ${other.join(', ')} after.`];
  };
  const distinct = (sweep: LoadSweep, read: (run: LoadResult) => string | null): string[] =>
    [...new Set(sweep.steps.flatMap(({ runs }) => runs.flatMap((run) => read(run) ?? [])))].sort();
  return [
    ...differing('Tools', (sweep) => distinct(sweep, ({ tool }) => tool)),
    ...differing('Targets', (sweep) => distinct(sweep, ({ target }) => target)),
    ...otherPrograms(before, after),
  ];
}

const OTHERS: AnyMetric = {
  id: 'others',
  label: 'CPU of other programs',
  unit: 'ratio',
  isBetter: 'lower',
  read: ({ otherCores }) => otherCores ?? null,
};
/** CPUs: less does not explain a change. */
const LEAST_OTHERS = 0.1;

/** Says if other programs used or waited for more or less CPU on one side, over all steps; a family of its own. */
function otherPrograms(before: LoadSweep, after: LoadSweep): string[] {
  const all = ({ steps }: LoadSweep): LoadStep => ({ concurrency: null, runs: steps.flatMap(({ runs }) => runs) });
  const row = measureRow({ before: all(before), after: all(after) }, OTHERS);
  const [judged] = row === null ? [] : judgeFamily([row]);
  const { verdict, delta, before: from = 0, after: to = 0 } = judged?.judgement ?? {};
  if ((verdict !== 'grew' && verdict !== 'shrank') || Math.abs(delta ?? 0) < LEAST_OTHERS) return [];
  const cpus = (value: number): string => value.toFixed(2);
  return [
    `The machine differed between the sides: other programs used or waited for ${cpus(from)} CPUs before and ${cpus(to)} after, on average over the runs, which may be why values changed.`,
  ];
}

/**
 * Returns the concurrencies of before's steps in which not every run of a side reports a metric that any run of the
 * comparison reports.
 */
export function stepsWithout(sides: Pick<LoadComparison, Side>, metric: LoadMetric, side: Side): (number | null)[] {
  const isWhole = (step: LoadStep | undefined): boolean =>
    step !== undefined && step.runs.every((run) => metric.read(run) !== null);
  const all = [sides.before, sides.after].flatMap(({ steps }) => steps);
  if (all.every(({ runs }) => runs.every((run) => metric.read(run) === null))) return [];
  return sides.before.steps
    .map(({ concurrency }) => concurrency)
    .filter((at) => !isWhole(sides[side].steps.find(({ concurrency }) => concurrency === at)));
}

/** One step of a condition's family, see {@link testSteps}. */
export interface TestedStep extends FamilyResult {
  readonly concurrency: number | null;
  readonly design: ComparisonDesign;
  readonly before: number;
  readonly after: number;
}

/** Tests a contrast of one metric in steps of both sides, as a family of its own. `concurrency` selects one step. */
export function testSteps(
  { before, after }: Pick<LoadComparison, 'before' | 'after'>,
  metric: LoadMetric,
  contrast: Contrast,
  concurrency?: number,
): TestedStep[] {
  const rows = pairSteps(before, after)
    .filter((pair) => concurrency === undefined || pair.before.concurrency === concurrency)
    .flatMap((pair) => measureRow(pair, metric, contrast) ?? []);
  const tested = rows.filter(({ test }) => test.p !== null);
  const { q, level } = controlFamily(tested.map(({ test }) => test.p!));
  return rows.map((row) => {
    const { test, estimate } = row;
    const place = tested.indexOf(row);
    return {
      concurrency: row.pair.before.concurrency,
      design: row.design,
      before: estimate.before.mean,
      after: estimate.after.mean,
      ...resultOf(test, place < 0 ? null : { q: q[place]!, level }),
    };
  });
}
