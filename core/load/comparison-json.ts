import type { ComparedMetric, LoadComparison } from './compare-sweeps.ts';
import { compareComponents, oneSidedComponents } from './components.ts';
import { comparisonNotes } from './describe-load.ts';
import type { LoadText } from './load-text.ts';
import { compareSeries, seriesFindings } from './compare-series.ts';

/** Returns a comparison for programs: steps, components and series, each with its change and verdict, and the findings. */
export function comparisonDocument(comparison: LoadComparison, text: LoadText) {
  const { before, after, steps, onlyBefore, onlyAfter, growth, populations, warnings } = comparison;
  const series = compareSeries(comparison);
  return {
    before: before.name,
    after: after.name,
    steps: steps.map(({ concurrency, metrics }) => ({ concurrency, metrics: metrics.map(metricDocument) })),
    components: compareComponents(comparison).map(({ name, concurrency, metrics }) => ({
      name,
      concurrency,
      metrics: metrics.map(metricDocument),
    })),
    componentsOfOneSide: oneSidedComponents(comparison).map(({ metrics, ...one }) => ({
      ...one,
      metrics: metrics.map(({ metric, mean }) => ({ metric: metric.id as string, mean })),
    })),
    series: series.map((one) => ({
      source: one.source,
      concurrency: one.concurrency,
      ...metricDocument(one),
      metric: one.metric.label,
      maximum: one.maximum,
    })),
    onlyBefore,
    onlyAfter,
    growth,
    seriesFindings: seriesFindings(series, text),
    populations,
    warnings,
    notes: comparisonNotes(comparison, text),
  };
}

function metricDocument({ metric, judgement, before: own, after: other }: ComparedMetric) {
  const { delta, relative, interval, level, p, q, verdict, method } = judgement;
  const sides = {
    before: { mean: judgement.before, runs: own },
    after: { mean: judgement.after, runs: other },
  };
  return { metric: metric.id as string, ...sides, delta, relative, interval, level, p, q, verdict, method };
}
