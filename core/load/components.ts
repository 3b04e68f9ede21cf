import { isChange } from '../compare/statistics/judge.ts';
import type { LoadRun } from '../contract/load/load-test.ts';
import type { HopLatency, LoadResult, ServerUse } from '../contract/load/result.ts';
import { SIDES, type Side } from '../contract/side.ts';
import {
  judgeFamily,
  measureRow,
  pairSteps,
  type ComparedMetric,
  type ComparedStep,
  type LoadComparison,
} from './compare-sweeps.ts';
import { partText, sidesText } from './change-text.ts';
import { changeTitle, stepNumber, type LoadTable, type LoadText } from './load-text.ts';
import { loadMetric, meanOf, pairComponents, type AnyMetric, type LoadStep, type LoadSweep } from './sweep.ts';

interface ComponentMetric extends Omit<AnyMetric, 'read'> {
  /** `own`: the processes of one name. */
  readonly of: (own: readonly ServerUse[], qps: number | null) => number | null;
}

/** Of CPUs in use; null if those of one of the processes are unknown. */
const fromCores =
  (of: (cores: number, qps: number | null) => number | null): ComponentMetric['of'] =>
  (own, qps) => {
    const known = own.flatMap(({ cores }) => cores ?? []);
    const sum = known.reduce((whole, one) => whole + one, 0);
    return known.length < own.length ? null : of(sum, qps);
  };

const latencyOf =
  (percentile: keyof HopLatency): ComponentMetric['of'] =>
  (own) =>
    own.find(({ latency }) => latency !== undefined)?.latency![percentile] ?? null;

/**
 * What is known of each component: QPS of the load, latencies of its probes, CPUs in use, CPU seconds per answer, and
 * answers per second and CPU.
 */
const COMPONENT_METRICS: readonly ComponentMetric[] = [
  { ...loadMetric('qps'), of: (_, qps) => qps },
  { ...loadMetric('p90'), of: latencyOf('p90') },
  { ...loadMetric('p99'), of: latencyOf('p99') },
  { id: 'cores', label: 'CPU', unit: 'ratio', isBetter: 'lower', of: fromCores((cores) => cores) },
  { ...loadMetric('cpu'), of: fromCores((cores, qps) => (qps === null || qps === 0 ? null : cores / qps)) },
  { ...loadMetric('percore'), of: fromCores((cores, qps) => (qps === null || cores === 0 ? null : qps / cores)) },
];

/** What is tested of components, and how. */
export const COMPONENTS_TEXT =
  'Processes with the same name are one component. Other names are paired by port, or if only one is left on each side. CPU, CPU per request and QPS per core, and the p90 and p99 of their probes, at all steps are one family at a false discovery rate of 5 %. QPS is that of the load.';

/** The metrics of all processes of a name, or of one before and another one after. */
const metricsOf = (...names: readonly string[]): AnyMetric[] =>
  COMPONENT_METRICS.map(({ of, ...metric }) => ({
    ...metric,
    read: ({ qps, server = [] }) => {
      const own = server.filter(({ name }) => names.includes(name));
      return own.length === 0 ? null : of(own, qps);
    },
  }));

const namesIn = (runs: readonly LoadResult[]): string[] => [
  ...new Set(runs.flatMap(({ server = [] }) => server.map(({ name }) => name))),
];

type Components = Pick<LoadComparison, 'before' | 'after' | 'steps'>;

/** A component that both sides have, at one step. */
export interface ComparedComponent extends ComparedStep {
  /** `server-old → server-new` if it is another one on each side. */
  readonly name: string;
  /** Of its processes on either side. */
  readonly names: readonly string[];
}

/**
 * Compares the components of the server step by step; within a step certain changes of CPU per request first, the
 * largest of them and then of the others first. All of them are one family. Processes of one name are one component: a server's workers are as many as it likes. See
 * {@link pairComponents} for names that differ.
 */
export function compareComponents({ before, after, steps }: Components): ComparedComponent[] {
  const pairs = pairSteps(before, after);
  const components = pairComponents(before, after).map(({ name, before: own, after: other }) => ({
    name,
    names: [...new Set([own, other])].filter((one) => one !== null),
  }));
  /** Judged once, with the other metrics of the load. */
  const qpsAt = (concurrency: number | null): ComparedMetric[] =>
    steps.find((one) => one.concurrency === concurrency)?.metrics.filter(({ metric }) => metric.id === 'qps') ?? [];
  const rows = judgeFamily(
    pairs.flatMap((pair) =>
      components.flatMap((component) =>
        metricsOf(...component.names).flatMap((metric) => {
          if (metric.id === 'qps') return [];
          const row = measureRow(pair, metric);
          return row === null ? [] : [{ ...row, component }];
        }),
      ),
    ),
  );
  return pairs.flatMap((pair) => {
    const own = rows.filter((row) => row.pair === pair);
    return [...new Set(own.map(({ component }) => component))]
      .map((component): ComparedComponent => {
        const found = own.filter((row) => row.component === component);
        const judged = found.map(({ metric, judgement, values }) => ({ metric, judgement, ...values }));
        const metrics = [...qpsAt(pair.before.concurrency), ...judged];
        return { ...component, concurrency: pair.before.concurrency, design: found[0]!.design, metrics };
      })
      .sort((a, b) => Number(isCertain(b)) - Number(isCertain(a)) || cpuChange(b) - cpuChange(a));
  });
}

/** Whether the CPU per request of a component grew or shrank. */
export const isCertain = (component: ComparedComponent): boolean => isChange(cpuOf(component)?.judgement.verdict ?? '');

export const cpuChange = (component: ComparedComponent): number => Math.abs(cpuOf(component)?.judgement.delta ?? 0);

/** Returns how a metric of a component changed; undefined if a side lacks it. */
export const componentMetric = ({ metrics }: ComparedComponent, id: AnyMetric['id']): ComparedMetric | undefined =>
  metrics.find(({ metric }) => metric.id === id);

/** Returns how the CPU per request of a component changed; undefined without answers. */
export const cpuOf = (component: ComparedComponent): ComparedMetric | undefined => componentMetric(component, 'cpu');

/** A component that only one side has, at one step. */
export interface OneSidedComponent {
  readonly name: string;
  readonly side: Side;
  readonly concurrency: number | null;
  /** Means over the runs; null: unknown. */
  readonly metrics: readonly { readonly metric: AnyMetric; readonly mean: number | null }[];
}

/**
 * Returns the components that only one side has, such as a hop that was added or removed, at the steps at which both
 * sides were watched.
 */
export const oneSidedComponents = ({ before, after }: Pick<Components, 'before' | 'after'>): OneSidedComponent[] =>
  pairSteps(before, after).flatMap((pair) => {
    const watched = { before: namesIn(pair.before.runs), after: namesIn(pair.after.runs) };
    if (watched.before.length === 0 || watched.after.length === 0) return [];
    return pairComponents(before, after).flatMap((names) => {
      const [side, ...both] = SIDES.filter((one) => watched[one].includes(names[one] ?? ''));
      if (side === undefined || both.length > 0) return [];
      const name = names[side]!;
      const metrics = metricsOf(name).map((metric) => ({ metric, mean: meanOf(pair[side], metric) }));
      return { name, side, concurrency: pair.before.concurrency, metrics };
    });
  });

/** Returns the captures of one component at a step, or, without names, of all: runs at another step are no replicates. */
export const capturesAt = (
  runs: readonly LoadRun[],
  at: number | null,
  names?: readonly string[],
): { readonly id: string }[] =>
  runs.flatMap(({ result: { concurrency, server = [] }, captures = [] }) =>
    concurrency !== at
      ? []
      : captures
          .filter(
            ({ pid }) => names?.some((name) => server.some((use) => use.pid === pid && use.name === name)) ?? true,
          )
          .map(({ id }) => ({ id })),
  );

export interface RunsOfSides {
  readonly before: readonly LoadRun[];
  readonly after: readonly LoadRun[];
}

/** A component that has captures on both sides, and how many others have. */
export interface ProfiledComponent {
  readonly name: string;
  readonly before: readonly { readonly id: string }[];
  readonly after: readonly { readonly id: string }[];
  readonly others: number;
}

/**
 * Returns the component to look into: of those with captures of both sides at a step, the first of
 * {@link compareComponents}. Null: none has.
 */
export function profiledComponent(
  comparison: Components,
  sides: RunsOfSides,
  at: number | null,
): ProfiledComponent | null {
  const [first, ...others] = compareComponents(comparison)
    .filter(({ concurrency }) => concurrency === at)
    .map(({ name, names }) => ({
      name,
      before: capturesAt(sides.before, at, names),
      after: capturesAt(sides.after, at, names),
    }))
    .filter(({ before, after }) => before.length > 0 && after.length > 0);
  return first === undefined ? null : { ...first, others: others.length };
}

/** Returns the captures of a step to compare: those of the component to look into; if there is none, all. */
export const capturesToCompare = (
  comparison: Components,
  sides: RunsOfSides,
  at: number | null,
): Omit<ProfiledComponent, 'name'> & { readonly name: string | null } =>
  profiledComponent(comparison, sides, at) ?? {
    name: null,
    before: capturesAt(sides.before, at),
    after: capturesAt(sides.after, at),
    others: 0,
  };

/** One component of the server: means over the runs of a step that know them; null if none does. */
export interface ComponentUse extends Readonly<Record<keyof HopLatency, number | null>> {
  readonly name: string;
  /** Of its first process in its first run. */
  readonly pid: number;
  /** CPUs of all its processes. */
  readonly cores: number | null;
  /** Answers per second and CPU. */
  readonly perCore: number | null;
  /** CPU seconds per answer. */
  readonly perRequest: number | null;
}

/** Returns the components of a step, the busiest first; one of which nothing is known is left out. */
export function componentUses(runs: readonly LoadResult[]): ComponentUse[] {
  return namesIn(runs)
    .map((name): ComponentUse => {
      const means = new Map(metricsOf(name).map((metric) => [metric.id, meanOf({ concurrency: null, runs }, metric)]));
      const of = (id: AnyMetric['id']): number | null => means.get(id) ?? null;
      const { pid } = runs.flatMap(({ server = [] }) => server).find((use) => use.name === name)!;
      const cpu = { cores: of('cores'), perCore: of('percore'), perRequest: of('cpu') };
      return { name, pid, ...cpu, p90: of('p90'), p99: of('p99') };
    })
    .filter(({ cores, p99 }) => cores !== null || p99 !== null)
    .sort((a, b) => (b.cores ?? 0) - (a.cores ?? 0));
}

/** Returns the components of one sweep as texts, means over the runs; null without any. */
export function componentTable({ steps }: LoadSweep, text: LoadText): LoadTable | null {
  const rows = steps.flatMap((step: LoadStep) =>
    namesIn(step.runs).map((name) => ({
      at: [stepNumber(step), name],
      values: metricsOf(name).map((metric) => meanOf(step, metric)),
    })),
  );
  if (rows.length === 0) return null;
  const shown = COMPONENT_METRICS.flatMap((metric, place) =>
    rows.some(({ values }) => values[place] !== null) ? [{ metric, place }] : [],
  );
  return {
    names: 2,
    header: ['Connections', 'Component', ...shown.map(({ metric }) => metric.label)],
    rows: rows.map(({ at, values }) => [
      ...at,
      ...shown.map(({ metric, place }) => text.value(metric, values[place]!)),
    ]),
  };
}

/**
 * Returns the components of two sweeps as texts, each with its change and verdict; those of one side follow. Null
 * without any.
 */
export function componentChanges(
  components: readonly ComparedComponent[],
  text: LoadText,
  oneSided: readonly OneSidedComponent[] = [],
): LoadTable | null {
  if (components.length + oneSided.length === 0) return null;
  const shown = COMPONENT_METRICS.filter(
    ({ id }) =>
      components.some(({ metrics }) => metrics.some(({ metric }) => metric.id === id)) ||
      oneSided.some(({ metrics }) => metrics.some(({ metric, mean }) => metric.id === id && mean !== null)),
  );
  return {
    names: 2,
    header: ['Connections', 'Component', ...shown.flatMap(({ label }) => [label, changeTitle(label)])],
    rows: [
      ...components.map((component) => [
        stepNumber(component),
        component.name,
        ...shown.flatMap(({ id }) => {
          const found = componentMetric(component, id);
          return found === undefined ? ['–', '–'] : [sidesText(found, text), partText(component, found, text)];
        }),
      ]),
      ...oneSided.map((component) => [
        stepNumber(component),
        component.name,
        ...shown.flatMap(({ id }) => {
          const { metric, mean } = component.metrics.find((one) => one.metric.id === id)!;
          const value = text.value(metric, mean);
          if (mean === null) return [value, value];
          return [component.side === 'before' ? `${value} → –` : `– → ${value}`, `only ${component.side}`];
        }),
      ]),
    ],
  };
}
