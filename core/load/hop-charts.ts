import { overlaidChart, type ChartOptions, type SweepChart } from './sweep-charts.ts';
import { loadMetric, meanOf, type LoadSweep } from './sweep.ts';

/** Colours of hops by place, the innermost first: Okabe and Ito's, distinct in all kinds of colour vision. */
export const HOP_COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999999', '#b8a900'];

/** Charts of hops; the distances between two lines are what a hop adds. */
const CHARTS = [
  { id: 'mean', title: 'Mean latency by hop' },
  { id: 'p99', title: 'p99 latency by hop' },
  { id: 'qps', title: 'QPS by hop' },
  { id: 'percore', title: 'QPS per core by hop' },
] as const;

/** Draws each hop as a line against the concurrency; a metric that no hop has is left out. */
export function hopCharts(sweeps: readonly LoadSweep[], options: ChartOptions): SweepChart[] {
  return CHARTS.flatMap(({ id, title }) => {
    const metric = loadMetric(id);
    const lines = sweeps.flatMap((sweep, place) => {
      const has = sweep.steps.some((step) => step.concurrency !== null && meanOf(step, metric) !== null);
      return has ? [{ sweep, label: sweep.name, colour: HOP_COLOURS[place % HOP_COLOURS.length]! }] : [];
    });
    return lines.length === 0 ? [] : [{ id: `hops-${id}`, title, svg: overlaidChart(title, metric, lines, options) }];
  });
}
