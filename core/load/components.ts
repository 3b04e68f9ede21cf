import type { LoadResult } from '../contract/load-result.ts';
import {
  judgeFamily,
  measureRow,
  pairSteps,
  type ComparedMetric,
  type ComparedStep,
  type LoadComparison,
} from './compare-sweeps.ts';
import { reachOf } from '../compare/describe-change.ts';
import { judgementText, maybeReason, runCounts } from '../compare/verdict-words.ts';
import { sidesText } from './describe-load.ts';
import type { HopTable } from './hops.ts';
import type { LoadText } from './load-text.ts';
import { loadMetric, meanOf, type AnyMetric, type LoadStep, type LoadSweep } from './sweep.ts';

/** What is known of each component: CPUs in use, CPU seconds per answer, answers per second and CPU. */
const COMPONENT_METRICS: readonly (Omit<AnyMetric, 'read'> & {
  readonly of: (cores: number, qps: number | null) => number | null;
})[] = [
  { id: 'cores', label: 'CPU', unit: 'ratio', isBetter: 'lower', of: (cores) => cores },
  { ...loadMetric('cpu'), of: (cores, qps) => (qps === null || qps === 0 ? null : cores / qps) },
  { ...loadMetric('percore'), of: (cores, qps) => (qps === null || cores === 0 ? null : qps / cores) },
];

/** What is tested of components, and how. */
export const COMPONENTS_TEXT =
  'components: processes of one name are one; their CPU, CPU per request and QPS per core at all steps are one family at a false discovery rate of 5 %';

/** The metrics of all processes of a name; null if the CPU time of one of them is unknown. */
const metricsOf = (name: string): AnyMetric[] =>
  COMPONENT_METRICS.map(({ of, ...metric }) => ({
    ...metric,
    read: ({ qps, server = [] }) => {
      const cores = server.flatMap((one) => (one.name === name ? [one.cores] : []));
      if (cores.length === 0 || cores.includes(null)) return null;
      return of(
        cores.reduce<number>((sum, one) => sum + one!, 0),
        qps,
      );
    },
  }));

const namesIn = (runs: readonly LoadResult[]): string[] => [
  ...new Set(runs.flatMap(({ server = [] }) => server.map(({ name }) => name))),
];

/** A component that both sides have, at one step. */
export interface ComparedComponent extends ComparedStep {
  readonly name: string;
}

/**
 * Compares the components of the server step by step; within a step the largest change of CPU per request first. All
 * of them are one family. Processes of one name are one component: a server's workers are as many as it likes.
 */
export function compareComponents({ before, after }: Pick<LoadComparison, 'before' | 'after'>): ComparedComponent[] {
  const pairs = pairSteps(before, after);
  const rows = judgeFamily(
    pairs.flatMap((pair) =>
      namesIn([...pair.before.runs, ...pair.after.runs]).flatMap((name) =>
        metricsOf(name).flatMap((metric) => {
          const row = measureRow(pair, metric);
          return row === null ? [] : [{ ...row, name }];
        }),
      ),
    ),
  );
  return pairs.flatMap((pair) => {
    const own = rows.filter((row) => row.pair === pair);
    return [...new Set(own.map(({ name }) => name))]
      .map((name): ComparedComponent => {
        const found = own.filter((row) => row.name === name);
        const metrics = found.map(({ metric, judgement, values }) => ({ metric, judgement, ...values }));
        return { name, concurrency: pair.before.concurrency, design: found[0]!.design, metrics };
      })
      .sort((a, b) => cpuChange(b) - cpuChange(a));
  });
}

const cpuChange = (component: ComparedComponent): number => Math.abs(cpuOf(component)?.judgement.delta ?? 0);

/** Returns how the CPU per request of a component changed; undefined without answers. */
export const cpuOf = ({ metrics }: ComparedComponent): ComparedMetric | undefined =>
  metrics.find(({ metric }) => metric.id === 'cpu');

/** Returns the components of one sweep as texts, means over the runs; null without any. */
export function componentTable({ steps }: LoadSweep, text: LoadText): HopTable | null {
  const rows = steps.flatMap((step: LoadStep) =>
    namesIn(step.runs).map((name) => [
      numberOf(step),
      name,
      ...metricsOf(name).map((metric) => text.value(metric, meanOf(step, metric))),
    ]),
  );
  if (rows.length === 0) return null;
  return { header: ['Connections', 'Component', ...COMPONENT_METRICS.map(({ label }) => label)], rows };
}

/** Returns the components of two sweeps as texts, each with its change and verdict; null without any. */
export function componentChanges(components: readonly ComparedComponent[], text: LoadText): HopTable | null {
  if (components.length === 0) return null;
  return {
    header: ['Connections', 'Component', ...COMPONENT_METRICS.flatMap(({ label }) => [label, `Δ ${label}`])],
    rows: components.map((component) => [
      numberOf(component),
      component.name,
      ...COMPONENT_METRICS.flatMap(({ id }) => {
        const found = component.metrics.find(({ metric }) => metric.id === id);
        return found === undefined ? ['–', '–'] : [sidesText(found, text), partText(component, found, text)];
      }),
    ]),
  };
}

const numberOf = ({ concurrency }: Pick<LoadStep, 'concurrency'>): string => concurrency?.toLocaleString('en') ?? '?';

/** Returns `+21.6 % ± 3.0 %: ▲ grew`; absolute if the value before was 0. */
function partText({ design }: ComparedStep, { metric, judgement }: ComparedMetric, text: LoadText): string {
  const { before, delta, relative, interval } = judgement;
  const reach = interval === null ? null : reachOf(interval);
  const [change, around] =
    relative === null
      ? [text.delta(metric, delta), reach === null ? null : text.delta(metric, reach)]
      : [text.relative(relative), reach === null ? null : text.relative(reach / before)];
  const verdict = judgementText(judgement, maybeReason(design, runCounts(design)));
  return `${change}${around === null ? '' : ` ± ${around.replace('+', '')}`}: ${verdict}`;
}
