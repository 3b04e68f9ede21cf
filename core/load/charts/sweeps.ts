import type { LoadResult } from '../../contract/load/result.ts';
import { markup, type Markup } from '../../export/markup.ts';
import { shareScale, weightScale } from '../../units/axis-scale.ts';
import { shownKnee } from '../knee.ts';
import { stepTitle, type LoadText } from '../load-text.ts';
import {
  kneeOf,
  loadMetric,
  meanOf,
  valuesOf,
  type LoadMetric,
  type LoadMetricId,
  type LoadStep,
  type LoadSweep,
} from '../sweep.ts';
import { reachOfMean } from '../variance-of-mean.ts';
import {
  COLOURS,
  fixed,
  logTicks,
  placeBetween,
  seriesChart,
  SIDE_COLOURS,
  textAt,
  type ChartRole,
  type LoadChart,
  type Series,
} from './chart.ts';

/** One sweep of the charts; two are drawn over each other. */
export interface ChartSide {
  readonly role: ChartRole;
  readonly sweep: LoadSweep;
}

export interface ChartOptions {
  readonly locale: string;
  readonly text: LoadText;
  /** Scale of the concurrency. */
  readonly scale: 'log' | 'linear';
}

const BOX = { kind: '', width: 460, height: 230, left: 66, right: 12, top: 12, bottom: 34 } as const;
const RADIUS = 2.5;

/** One metric of one sweep, as a line of a chart. */
interface MetricLine {
  readonly role: Series['role'];
  readonly sweep: LoadSweep;
  readonly metric: LoadMetric;
  /** Names the line; empty if the chart has no other. */
  readonly label: string;
  readonly colour: string;
}

/**
 * Draws what the sweeps report: QPS, mean latency, success rate and percentiles against concurrency, and the
 * distribution of latencies at the step with the highest QPS. Runs are points, their means a line, with 95 % intervals from 3 runs on.
 */
export function sweepCharts(sides: readonly ChartSide[], options: ChartOptions): LoadChart[] {
  const lines = (...ids: readonly LoadMetricId[]): MetricLine[] =>
    sides.flatMap(({ role, sweep }) =>
      ids.map((id) => ({
        role,
        sweep,
        metric: loadMetric(id),
        label: role === 'only' ? '' : role,
        colour: SIDE_COLOURS[role],
      })),
    );
  return [
    ...metricChart('qps', 'QPS', lines('qps'), options),
    ...metricChart('mean', 'Mean latency', lines('mean'), options),
    ...metricChart('success', 'Success rate', lines('success'), options),
    ...metricChart('percentiles', 'Latency: p50 and p99', lines('p50', 'p99'), options),
    ...distributionChart(sides, options),
  ];
}

/** Charts of hops; the distances between two lines are what a hop adds. */
const HOP_CHARTS = [
  { id: 'mean', title: 'Mean latency by hop' },
  { id: 'p99', title: 'p99 latency by hop' },
  { id: 'qps', title: 'QPS by hop' },
  { id: 'percore', title: 'QPS per core by hop' },
] as const;

/** Returns the colour of a hop by its place, the innermost first. */
export const hopColour = (place: number): string => COLOURS[place % COLOURS.length]!;

/** Draws each hop as a line against the concurrency; a metric that no hop has is left out. */
export function hopCharts(sweeps: readonly LoadSweep[], options: ChartOptions): LoadChart[] {
  return HOP_CHARTS.flatMap(({ id, title }) => {
    const lines = sweeps.map((sweep, place): MetricLine => {
      return { role: 'hop', sweep, metric: loadMetric(id), label: sweep.name, colour: hopColour(place) };
    });
    return metricChart(`hops-${id}`, title, lines, options);
  });
}

/** Draws a metric against the concurrency; nothing if no step has both. */
function metricChart(id: string, title: string, all: readonly MetricLine[], options: ChartOptions): LoadChart[] {
  const known = all
    .map((line) => ({
      ...line,
      steps: line.sweep.steps.filter((step) => step.concurrency !== null && meanOf(step, line.metric) !== null),
    }))
    .filter(({ steps }) => steps.length > 0);
  const metric = known[0]?.metric;
  if (metric === undefined) return [];
  const concurrencies = [...new Set(known.flatMap(({ steps }) => steps.map(({ concurrency }) => concurrency!)))];
  concurrencies.sort((a, b) => a - b);
  const isShare = metric.unit === 'ratio';
  const values = known.flatMap(({ steps, metric: one }) =>
    steps.flatMap((step) => [...valuesOf(step, one), ...(intervalOf(step, one) ?? [])]),
  );
  const most = isShare ? 1 : Math.max(...values, 0) || 1;
  const choose = isShare ? shareScale(options.locale) : weightScale(options.locale, metric.unit, 0);
  const svg = seriesChart(BOX, {
    name: `${title} against concurrency: ${known.map((line) => summaryOf(line, options)).join('; ')}`,
    axis: choose(most, most / 5),
    most,
    top: isShare ? 1 : most * 1.08,
    // The margin keeps points off the axes.
    x: placeBetween(BOX, concurrencies, options.scale, 14),
    labels: concurrencies.map((at) => ({ at, text: at.toLocaleString(options.locale) })),
    axisTitle: 'connections',
    series: known.map(({ steps, ...line }) => seriesOf(line, steps, options)),
    radius: RADIUS,
  });
  return [{ id, title, svg }];
}

function summaryOf({ sweep, label, metric }: MetricLine, { text, locale }: ChartOptions): string {
  const name = label === '' ? metric.label : `${label} ${metric.label}`;
  const values = sweep.steps.map((step) => `${text.value(metric, meanOf(step, metric))} at ${stepTitle(step, locale)}`);
  return `${name} ${values.join(', ')}`;
}

function seriesOf(line: MetricLine, steps: readonly LoadStep[], options: ChartOptions): Series {
  const { role, colour, label, metric } = line;
  const { text, locale } = options;
  const means = steps.map((step) => ({ at: step.concurrency!, value: meanOf(step, metric)! }));
  const name = label === '' ? metric.label : `${label}: ${metric.label}`;
  const hasKnee = role !== 'hop' && (metric.id === 'qps' || metric.id === 'mean');
  const { step: shown } = hasKnee ? shownKnee(line.sweep, text) : { step: null };
  const knee = steps.find((step) => step === shown);
  const last = means.at(-1);
  const isNamed = last !== undefined && role !== 'hop' && (metric.id === 'p50' || metric.id === 'p99');
  return {
    role,
    colour,
    line: means,
    points: steps.flatMap((step) =>
      valuesOf(step, metric).map((value) => ({
        at: step.concurrency!,
        value,
        title: `${name} ${text.value(metric, value)} at ${stepTitle(step, locale)}`,
      })),
    ),
    intervals: steps.flatMap((step) => {
      const interval = intervalOf(step, metric);
      if (interval === null) return [];
      return [{ at: step.concurrency!, range: [Math.max(0, interval[0]), interval[1]] }];
    }),
    marks: (x, y) => [
      ...(knee === undefined ? [] : kneeMarks(line, knee, x(knee.concurrency!), y(meanOf(knee, metric)!), locale)),
      ...(isNamed ? [textAt(x(last.at) - 4, y(last.value) - 6, metric.label, 'end')] : []),
    ],
  };
}

const kneeMarks = ({ role, colour }: MetricLine, knee: LoadStep, at: number, top: number, locale: string): Markup[] => [
  markup(
    'circle',
    { cx: fixed(at), cy: fixed(top), r: 7, fill: 'none', stroke: colour, class: 'knee' },
    markup('title', {}, `knee: ${stepTitle(knee, locale)}`),
  ),
  textAt(Math.min(at + 10, BOX.width - 40), top + (role === 'after' ? 16 : -8), 'knee'),
];

/** Returns the 95 % interval of the mean over the step's runs; null with too few. */
function intervalOf(step: LoadStep, metric: LoadMetric): readonly [number, number] | null {
  const reach = reachOfMean(valuesOf(step, metric));
  if (reach === null) return null;
  const mean = meanOf(step, metric)!;
  return [mean - reach, mean + reach];
}

/** Draws the latency distribution at each side's step with the highest QPS, from the first run that reports one. */
function distributionChart(sides: readonly ChartSide[], { locale, text }: ChartOptions): LoadChart[] {
  const found = sides.flatMap(({ role, sweep }) => {
    const step = kneeOf(sweep) ?? sweep.steps[0];
    const run = step?.runs.find((one) => distributionOf(one).length > 1);
    if (step === undefined || run === undefined) return [];
    return [{ role, at: stepTitle(step, locale), line: distributionOf(run) }];
  });
  if (found.length === 0) return [];
  const all = found.flatMap(({ line }) => line.map(({ at }) => at));
  const mean = loadMetric('mean');
  const title = 'Latency distribution';
  const svg = seriesChart(BOX, {
    name: `${title}: ${found.map(({ role, at }) => `${role === 'only' ? '' : `${role} `}at ${at}`).join('; ')}`,
    axis: shareScale(locale)(1, 0.25),
    most: 1,
    top: 1,
    x: placeBetween(BOX, all, 'log'),
    labels: logTicks(all).map((at) => ({ at, text: text.value(mean, at) })),
    axisTitle: 'latency (log)',
    series: found.map(({ role, line }) => ({ role, colour: SIDE_COLOURS[role], line })),
    radius: RADIUS,
  });
  return [{ id: 'distribution', title: `${title} at ${[...new Set(found.map(({ at }) => at))].join(' and ')}`, svg }];
}

/** Returns the cumulative distribution, shares by seconds: from the histogram, else from percentiles and the maximum. */
function distributionOf({ latency }: LoadResult): { readonly at: number; readonly value: number }[] {
  const total = latency.buckets.reduce((sum, { count }) => sum + count, 0);
  if (total > 0) {
    let below = 0;
    return latency.buckets.map(({ upTo, count }) => ({ at: upTo, value: (below += count) / total }));
  }
  const points = latency.percentiles.map(({ percent, seconds }) => ({ at: seconds, value: percent / 100 }));
  return latency.max === null || points.length === 0 ? points : [...points, { at: latency.max, value: 1 }];
}
