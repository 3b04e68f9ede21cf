import { isChange } from '../compare/statistics/judge.ts';
import type { LoadResult } from '../contract/load/result.ts';
import { headlineText, partText, sidesText } from './change-text.ts';
import {
  judgeFamily,
  measureRow,
  pairSteps,
  type ComparedMetric,
  type ComparedStep,
  type LoadComparison,
} from './compare-sweeps.ts';
import { changeTitle, stepNumber, stepTitle, type LoadTable, type LoadText } from './load-text.ts';
import { meanOf, pairedNames, type AnyMetric, type LoadStep, type LoadSweep } from './sweep.ts';
import { isOfAnswers, vitalsSeries } from './vitals.ts';
import type { ReadSeries } from './series/series-by-run.ts';

/** What is tested of series, and how. */
export const SERIES_TEXT =
  'series: means of the readings of each run, by process: (2), (3) and so on are further processes of a component; all but CPU and those of answers, at all steps, are one family at a false discovery rate of 5 %';

interface NamedSeries extends Pick<ReadSeries, 'source' | 'id'> {
  readonly metric: AnyMetric;
  /** The highest reading of any run of the step. */
  readonly maximum: (step: LoadStep) => number | null;
}

/** Returns the series of sweeps, those of one source together. `nameOf`: how a source is called on all of them. */
function seriesOf(sweeps: readonly LoadSweep[], nameOf = (source: string): string => source): NamedSeries[] {
  const byRun = new Map(
    sweeps.flatMap(({ series }) =>
      [...(series ?? [])].map(
        ([run, own]) => [run, own.map((one) => ({ ...one, source: nameOf(one.source) }))] as const,
      ),
    ),
  );
  const all = [...byRun.values()].flat();
  const named = new Map(all.map(({ source, id }) => [`${source}\0${id}`, { source, id }]));
  const sources = [...new Set(all.map(({ source }) => source))];
  return [...named.values()]
    .sort((a, b) => sources.indexOf(a.source) - sources.indexOf(b.source))
    .map(({ source, id }) => {
      const { label, unit } = vitalsSeries(id);
      const find = (run: LoadResult): ReadSeries | undefined =>
        byRun.get(run)?.find((one) => one.source === source && one.id === id);
      return {
        source,
        id,
        metric: {
          id: id === 'cpu' || isOfAnswers(id) ? 'reading' : 'series',
          label,
          unit: unit === 'seconds' || unit === 'ratio' || unit === 'bytes' ? unit : '',
          isBetter: 'lower',
          read: (run) => find(run)?.mean ?? null,
          variance: (run) => find(run)?.variance ?? 0,
        },
        maximum: ({ runs }) => {
          const known = runs.flatMap((run) => find(run)?.maximum ?? []);
          return known.length === 0 ? null : Math.max(...known);
        },
      };
    });
}

/** Returns the series of one step: means over the runs, and the highest reading. */
export const readSeries = (step: LoadStep, sweep: LoadSweep) =>
  seriesOf([sweep]).flatMap(({ source, metric, maximum }) => {
    const mean = meanOf(step, metric);
    return mean === null ? [] : [{ source, label: metric.label, unit: metric.unit, mean, maximum: maximum(step) }];
  });

/** Returns the series of one sweep as texts, a row each: the mean over the runs of each step; null without any. */
export function seriesTable(sweep: LoadSweep, text: LoadText): LoadTable | null {
  const series = seriesOf([sweep]);
  if (series.length === 0) return null;
  return {
    names: 2,
    header: ['Source', 'Series', ...sweep.steps.map((step) => `Mean (max) at ${stepNumber(step)}`)],
    rows: series.map(({ source, metric, maximum }) => [
      source,
      metric.label,
      ...sweep.steps.map((step) => {
        const mean = meanOf(step, metric);
        return mean === null ? '–' : `${text.value(metric, mean)} (${text.value(metric, maximum(step))})`;
      }),
    ]),
  };
}

/** A series that both sides have, at one step. */
export interface ComparedSeries extends Omit<ComparedStep, 'metrics'>, ComparedMetric {
  readonly source: string;
  readonly maximum: { readonly before: number | null; readonly after: number | null };
}

/** Compares the series of two sweeps step by step, as one family. */
export function compareSeries({ before, after }: Pick<LoadComparison, 'before' | 'after'>): ComparedSeries[] {
  const series = seriesOf([before, after], pairedNames(before, after));
  const rows = pairSteps(before, after).flatMap((pair) =>
    series.flatMap((one) => {
      const row = measureRow(pair, one.metric);
      const maximum = { before: one.maximum(pair.before), after: one.maximum(pair.after) };
      return row === null ? [] : [{ ...row, source: one.source, maximum }];
    }),
  );
  return judgeFamily(rows).map(({ pair, metric, judgement, values, design, source, maximum }) => ({
    concurrency: pair.before.concurrency,
    design,
    source,
    metric,
    judgement,
    ...values,
    maximum,
  }));
}

/** Returns the series of two sweeps as texts, each with its change and verdict; null without any. */
export function seriesChanges(series: readonly ComparedSeries[], text: LoadText): LoadTable | null {
  if (series.length === 0) return null;
  return {
    names: 3,
    header: ['Connections', 'Source', 'Series', 'Mean', changeTitle('Mean'), 'Maximum'],
    rows: series.map((one) => [
      stepNumber(one),
      one.source,
      one.metric.label,
      sidesText(one, text),
      partText(one, one, text),
      `${text.value(one.metric, one.maximum.before)} → ${text.value(one.metric, one.maximum.after)}`,
    ]),
  };
}

/** Changes that are told in sentences; the table has all. */
const MOST_TOLD = 3;

/** Says which series differ between the sides, the largest relative change of each first, at one step each. */
export function seriesFindings(series: readonly ComparedSeries[], text: LoadText): string[] {
  const changed = series
    .filter(({ judgement: { verdict } }) => isChange(verdict))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const isOfOne = (a: ComparedSeries, b: ComparedSeries): boolean =>
    a.source === b.source && a.metric.label === b.metric.label;
  const first = changed.filter((one, at) => changed.findIndex((other) => isOfOne(one, other)) === at);
  const told = first.slice(0, MOST_TOLD);
  const more = first.length - told.length;
  return [
    ...told.map(
      (one) => `${headlineText(`${one.metric.label} of ${one.source} at ${stepTitle(one)}`, one, one, text)}.`,
    ),
    ...(more > 0 ? [`${more} other series ${more === 1 ? 'differs' : 'differ'} between the sides.`] : []),
  ];
}

/** A change by a factor of n and one to its nth part are equally large. */
const sizeOf = ({ judgement: { before, after } }: ComparedSeries): number =>
  before > 0 && after > 0 ? Math.abs(Math.log(after / before)) : Infinity;
