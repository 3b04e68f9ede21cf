import { studentQuantile } from '../compare/statistics/student.ts';
import { varianceOfMean } from './variance-of-mean.ts';
import { markup, type Markup } from '../export/markup.ts';
import { shareScale, weightScale, type AxisScale } from '../units/axis-scale.ts';
import { fixed, gridOf } from './chart-grid.ts';
import { shownKnee } from './knee.ts';
import { stepTitle, type LoadText } from './load-text.ts';
import type { LoadResult } from '../contract/load-result.ts';
import {
  kneeOf,
  loadMetric,
  meanOf,
  valuesOf,
  type LoadMetric,
  type LoadMetricId,
  type LoadStep,
  type LoadSweep,
} from './sweep.ts';

/** One sweep of the charts; two are drawn over each other. */
export interface ChartSide {
  readonly role: 'only' | 'before' | 'after';
  readonly sweep: LoadSweep;
}

export interface SweepChart {
  readonly id: string;
  readonly title: string;
  /** A picture without scripts and inline styles, for the window and for files. */
  readonly svg: Markup;
}

export interface ChartOptions {
  readonly locale: string;
  readonly text: LoadText;
  /** Scale of the concurrency. */
  readonly scale: 'log' | 'linear';
}

const WIDTH = 460;
const HEIGHT = 230;
const BOX = { left: 66, right: 12, top: 12, bottom: 34 } as const;
const GRID = { left: BOX.left, right: WIDTH - BOX.right, maxLines: 20 } as const;
const [INNER_WIDTH, INNER_HEIGHT] = [WIDTH - BOX.left - BOX.right, HEIGHT - BOX.top - BOX.bottom];

/** Colours without a style sheet: Okabe and Ito's blue and vermilion, distinct in all kinds of colour vision. */
export const SIDE_COLOURS: Readonly<Record<ChartSide['role'], string>> = {
  only: '#0072b2',
  before: '#0072b2',
  after: '#d55e00',
};

/**
 * Draws what the sweeps report: QPS, mean latency, success rate and percentiles against concurrency, and the
 * distribution of latencies at the step with the highest QPS. Runs are points, their means a line, with 95 % intervals from 3 runs on.
 */
export function sweepCharts(sides: readonly ChartSide[], options: ChartOptions): SweepChart[] {
  const lines = (...ids: readonly LoadMetricId[]): Series[] =>
    sides
      .flatMap(({ role, sweep }) =>
        ids.map((id) => ({
          sweep,
          metric: loadMetric(id),
          label: role === 'only' ? '' : role,
          colour: SIDE_COLOURS[role],
          role,
        })),
      )
      .filter(({ sweep, metric }) => sweep.steps.some((step) => meanOf(step, metric) !== null));
  const charts = [
    { id: 'qps', title: 'QPS', series: lines('qps') },
    { id: 'mean', title: 'Mean latency', series: lines('mean') },
    { id: 'success', title: 'Success rate', series: lines('success') },
    { id: 'percentiles', title: 'Latency: p50 and p99', series: lines('p50', 'p99') },
  ];
  const distribution = distributionChart(sides, options);
  return [
    ...charts
      .filter(({ series }) => series.length > 0)
      .map(({ id, title, series }) => ({ id, title, svg: sweepChart(title, series, options) })),
    ...(distribution === null ? [] : [distribution]),
  ];
}

/** A line of a chart. */
export interface ChartLine {
  readonly sweep: LoadSweep;
  /** Empty if it is the only one. */
  readonly label: string;
  readonly colour: string;
}

interface Series extends ChartLine {
  readonly role: ChartSide['role'] | 'hop';
  readonly metric: LoadMetric;
}

/** Draws one metric of several sweeps as lines. */
export const overlaidChart = (
  title: string,
  metric: LoadMetric,
  lines: readonly ChartLine[],
  options: ChartOptions,
): Markup =>
  sweepChart(
    title,
    lines.map((line) => ({ ...line, metric, role: 'hop' })),
    options,
  );

type Place = (value: number) => number;

function sweepChart(title: string, series: readonly Series[], options: ChartOptions): Markup {
  const { metric } = series[0]!;
  const known = series.map(({ sweep, metric: one }) =>
    sweep.steps.filter((step) => step.concurrency !== null && meanOf(step, one) !== null),
  );
  const concurrencies = [...new Set(known.flat().map(({ concurrency }) => concurrency!))].sort((a, b) => a - b);
  const x = concurrencyScale(concurrencies, options.scale);
  const values = series.flatMap(({ metric: one }, place) =>
    known[place]!.flatMap((step) => [...valuesOf(step, one), ...(intervalOf(step, one) ?? [])]),
  );
  const most = metric.unit === 'ratio' ? 1 : Math.max(...values, 0) || 1;
  const { axis, y } = valueAxis(metric, most, options.locale);
  const drawn = series.flatMap((one, place) =>
    drawSeries(
      one,
      known[place]!,
      { x, y },
      one.role === 'hop' ? null : shownKnee(one.sweep, options.text).step,
      options,
    ),
  );
  return picture(
    `${title} against concurrency: ${series.map((one) => summaryOf(one, options)).join('; ')}`,
    [...gridOf(axis, most, y, GRID), ...concurrencyTicks(concurrencies, x, options.locale), ...drawn],
    'connections',
  );
}

function summaryOf({ sweep, label, metric }: Series, { text, locale }: ChartOptions): string {
  const name = label === '' ? metric.label : `${label} ${metric.label}`;
  const values = sweep.steps.map((step) => `${text.value(metric, meanOf(step, metric))} at ${stepTitle(step, locale)}`);
  return `${name} ${values.join(', ')}`;
}

function drawSeries(
  { role, label: side, colour, metric }: Series,
  steps: readonly LoadStep[],
  { x, y }: { readonly x: Place; readonly y: Place },
  knee: LoadStep | null,
  { text, locale }: ChartOptions,
): Markup[] {
  const means = steps.map((step) => ({ step, at: x(step.concurrency!), mean: meanOf(step, metric)! }));
  const title = (step: LoadStep, value: number): Markup =>
    markup(
      'title',
      {},
      `${side === '' ? '' : `${side}: `}${metric.label} ${text.value(metric, value)} at ${stepTitle(step, locale)}`,
    );
  const path = means.map(({ at, mean }, place) => `${place === 0 ? 'M' : 'L'}${fixed(at)},${fixed(y(mean))}`).join('');
  const points = means.flatMap(({ step, at, mean }) => {
    const interval = intervalOf(step, metric);
    const kneeMark = step === knee && (metric.id === 'qps' || metric.id === 'mean');
    return [
      ...(interval === null
        ? []
        : [
            markup('line', {
              x1: fixed(at),
              x2: fixed(at),
              y1: fixed(y(Math.max(0, interval[0]))),
              y2: fixed(y(interval[1])),
              stroke: colour,
              class: 'interval',
            }),
          ]),
      ...valuesOf(step, metric).map((value) =>
        markup('circle', { cx: fixed(at), cy: fixed(y(value)), r: 2.5, fill: colour }, title(step, value)),
      ),
      ...(kneeMark
        ? [
            markup(
              'circle',
              { cx: fixed(at), cy: fixed(y(mean)), r: 7, fill: 'none', stroke: colour, class: 'knee' },
              markup('title', {}, `knee: ${stepTitle(step, locale)}`),
            ),
            markup(
              'text',
              {
                x: fixed(Math.min(at + 10, WIDTH - 40)),
                y: fixed(y(mean) + (role === 'after' ? 16 : -8)),
                fill: 'currentColor',
              },
              'knee',
            ),
          ]
        : []),
    ];
  });
  const last = means.at(-1);
  const label = role !== 'hop' && (metric.id === 'p50' || metric.id === 'p99') ? metric.label : '';
  return [
    markup(
      'g',
      { class: `load-${role}` },
      markup('path', { d: path, fill: 'none', stroke: colour }),
      ...points,
      ...(last === undefined || label === ''
        ? []
        : [
            markup(
              'text',
              { x: fixed(last.at - 4), y: fixed(y(last.mean) - 6), 'text-anchor': 'end', fill: 'currentColor' },
              label,
            ),
          ]),
    ),
  ];
}

/** Returns the 95 % interval of the mean over the step's runs; null with too few. */
function intervalOf(step: LoadStep, metric: LoadMetric): readonly [number, number] | null {
  const values = valuesOf(step, metric);
  const variance = varianceOfMean(values);
  if (variance === null) return null;
  const mean = meanOf(step, metric)!;
  const reach = studentQuantile(0.05, variance.freedom) * Math.sqrt(variance.ofMean);
  return [mean - reach, mean + reach];
}

/** Draws the latency distribution at each side's step with the highest QPS, from the first run that reports one. */
function distributionChart(sides: readonly ChartSide[], { locale, text }: ChartOptions): SweepChart | null {
  const found = sides.flatMap((side) => {
    const step = kneeOf(side.sweep) ?? side.sweep.steps[0];
    const run = step?.runs.find((one) => distributionOf(one).length > 1);
    return step === undefined || run === undefined ? [] : [{ side, step, points: distributionOf(run) }];
  });
  if (found.length === 0) return null;
  const all = found.flatMap(({ points }) => points.map(({ seconds }) => seconds)).filter((seconds) => seconds > 0);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const x: Place = (seconds) =>
    BOX.left + INNER_WIDTH * (most > least ? Math.log(Math.max(seconds, least) / least) / Math.log(most / least) : 0.5);
  const y: Place = (share) => BOX.top + INNER_HEIGHT * (1 - share);
  const axis = shareScale(locale)(1, 0.25);
  const mean = loadMetric('mean');
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => least * (most / least) ** part);
  const title = 'Latency distribution';
  return {
    id: 'distribution',
    title: `${title} at ${[...new Set(found.map(({ step }) => stepTitle(step, locale)))].join(' and ')}`,
    svg: picture(
      `${title}: ${found.map(({ side, step }) => `${side.role === 'only' ? '' : `${side.role} `}at ${stepTitle(step, locale)}`).join('; ')}`,
      [
        ...gridOf(axis, 1, y, GRID),
        ...ticks.map((seconds) => tickText(x(seconds), text.value(mean, seconds))),
        ...found.map(({ side, points }) =>
          markup(
            'g',
            { class: `load-${side.role}` },
            markup('path', {
              d: points
                .map(({ seconds, share }, place) => `${place === 0 ? 'M' : 'L'}${fixed(x(seconds))},${fixed(y(share))}`)
                .join(''),
              fill: 'none',
              stroke: SIDE_COLOURS[side.role],
            }),
          ),
        ),
      ],
      'latency (log)',
    ),
  };
}

/** Points of the cumulative distribution: from the histogram, else from percentiles and the maximum. */
function distributionOf({ latency }: LoadResult): { readonly seconds: number; readonly share: number }[] {
  const total = latency.buckets.reduce((sum, { count }) => sum + count, 0);
  if (total > 0) {
    let below = 0;
    return latency.buckets.map(({ upTo, count }) => ({ seconds: upTo, share: (below += count) / total }));
  }
  const points = latency.percentiles.map(({ percent, seconds }) => ({ seconds, share: percent / 100 }));
  return latency.max === null || points.length === 0 ? points : [...points, { seconds: latency.max, share: 1 }];
}

function concurrencyScale(concurrencies: readonly number[], scale: ChartOptions['scale']): Place {
  const of = (value: number): number => (scale === 'log' ? Math.log(value) : value);
  const [low, high] = [of(concurrencies[0] ?? 1), of(concurrencies.at(-1) ?? 1)];
  // Half a margin keeps points off the axes.
  return (value) => BOX.left + 14 + (INNER_WIDTH - 28) * (high > low ? (of(value) - low) / (high - low) : 0.5);
}

function valueAxis(metric: LoadMetric, most: number, locale: string): { axis: AxisScale; y: Place } {
  const choose = metric.unit === 'ratio' ? shareScale(locale) : weightScale(locale, metric.unit, 0);
  const axis = choose(most, most / 5);
  const top = metric.unit === 'ratio' ? 1 : most * 1.08;
  return { axis, y: (value) => BOX.top + INNER_HEIGHT * (1 - value / top) };
}

/** Pixels that a label of the concurrency takes. */
const LABEL_ROOM = 44;

function concurrencyTicks(concurrencies: readonly number[], x: Place, locale: string): Markup[] {
  let end = -Infinity;
  return concurrencies.flatMap((concurrency) => {
    const at = x(concurrency);
    if (at < end) return [];
    end = at + LABEL_ROOM;
    return [tickText(at, concurrency.toLocaleString(locale))];
  });
}

const tickText = (at: number, text: string): Markup =>
  markup(
    'text',
    { x: fixed(Math.min(at, WIDTH - 22)), y: HEIGHT - BOX.bottom + 16, 'text-anchor': 'middle', fill: 'currentColor' },
    text,
  );

const picture = (label: string, children: readonly Markup[], axis: string): Markup =>
  markup(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'load-chart',
      'font-size': 11,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': label,
    },
    ...children,
    markup('text', { x: WIDTH - BOX.right, y: HEIGHT - 3, 'text-anchor': 'end', fill: 'currentColor' }, axis),
  );
