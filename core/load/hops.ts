import { marginOf } from '../compare/describe-change.ts';
import { compareSweeps, type ComparedMetric } from './compare-sweeps.ts';
import { stepNumber, type LoadTable, type LoadText } from './load-text.ts';
import { loadMetric, meanOf, type LoadMetricId, type LoadSweep } from './sweep.ts';
import { componentUses, type ComponentUse } from './components.ts';

/** Maximum number of hops in a row. */
export const MAX_HOPS = 8;

/** Titles of the hops, and of the table of their components. */
export const HOPS_TITLE = 'Latency that each hop adds';
export const HOP_COMPONENTS_TITLE = 'Components of each hop';

/** Latencies whose additions are stated. */
export const HOP_METRICS = ['mean', 'p50', 'p90', 'p99'] as const satisfies readonly LoadMetricId[];
export type HopMetric = (typeof HOP_METRICS)[number];

/** What a hop adds to one latency of the hop behind it, in seconds. */
export interface AddedByHop {
  readonly metric: HopMetric;
  readonly delta: number;
  /** Null with fewer than three runs a side. */
  readonly interval: readonly [number, number] | null;
}

/** One hop at one step. */
export interface HopRow {
  readonly concurrency: number | null;
  readonly hop: string;
  readonly qps: number | null;
  /** Means over the runs in seconds; null if the tool does not report them. */
  readonly latency: Readonly<Record<HopMetric, number | null>>;
  readonly components: readonly ComponentUse[];
  /** Null for the innermost hop, and without a common step behind it. */
  readonly added: readonly AddedByHop[] | null;
}

/**
 * Returns what each hop adds, step by step: sweeps of each hop's address with the same connections, the innermost (the
 * app) first. Differences are those of `compareSweeps` between a hop and the one behind it.
 */
export function hopRows(sweeps: readonly LoadSweep[]): HopRow[] {
  const compared = sweeps.map((sweep, place) => (place === 0 ? null : compareSweeps(sweeps[place - 1]!, sweep)));
  const all = sweeps.flatMap(({ steps }) => steps.map(({ concurrency }) => concurrency));
  const concurrencies = [...new Set(all)].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
  return concurrencies.flatMap((concurrency) =>
    sweeps.flatMap(({ name, steps }, place): HopRow[] => {
      const step = steps.find((one) => one.concurrency === concurrency);
      if (step === undefined) return [];
      const change = compared[place]?.steps.find((one) => one.concurrency === concurrency);
      const added = change === undefined ? null : HOP_METRICS.flatMap((metric) => addedOf(change.metrics, metric));
      const of = (id: LoadMetricId): number | null => meanOf(step, loadMetric(id));
      const latency = { mean: of('mean'), p50: of('p50'), p90: of('p90'), p99: of('p99') };
      return [{ concurrency, hop: name, qps: of('qps'), latency, components: componentUses(step.runs), added }];
    }),
  );
}

function addedOf(metrics: readonly ComparedMetric[], metric: HopMetric): AddedByHop[] {
  const found = metrics.find((one) => one.metric.id === metric);
  return found === undefined ? [] : [{ metric, delta: found.judgement.delta, interval: found.judgement.interval }];
}

/** What the added latencies are. */
export const HOP_CAVEAT = 'added: difference to the hop above, with its 95 % interval from 3 runs a side on';

/** Returns the hops as texts: QPS, latencies, and what each hop adds to them. */
export function hopTable(rows: readonly HopRow[], text: LoadText): LoadTable {
  const metrics = HOP_METRICS.filter((id) => rows.some(({ latency }) => latency[id] !== null));
  return {
    names: 2,
    header: [
      'Connections',
      'Hop',
      'QPS',
      ...metrics.flatMap((id) => [loadMetric(id).label, `added to ${loadMetric(id).label}`]),
    ],
    rows: rows.map(({ concurrency, hop, qps, latency, added }) => [
      stepNumber({ concurrency }),
      hop,
      text.value(loadMetric('qps'), qps),
      ...metrics.flatMap((id) => [
        text.value(loadMetric(id), latency[id]),
        addedText(added?.find((one) => one.metric === id) ?? null, text),
      ]),
    ]),
  };
}

/** Returns the CPU and the latencies of each hop's components as texts, next to the hop's QPS; null if none was watched. */
export function hopComponents(rows: readonly HopRow[], text: LoadText): LoadTable | null {
  const found = rows.flatMap((row) => row.components.map((component) => ({ row, component })));
  if (found.length === 0) return null;
  const latencies = (['p90', 'p99'] as const).filter((id) => found.some(({ component }) => component[id] !== null));
  return {
    names: 3,
    header: ['Connections', 'Hop', 'Component', 'QPS', ...latencies, 'CPU', 'CPU per request', 'QPS per core'],
    rows: found.map(({ row, component: { name, cores, perRequest, perCore, ...own } }) => [
      stepNumber(row),
      row.hop,
      name,
      text.value(loadMetric('qps'), row.qps),
      ...latencies.map((id) => text.value(loadMetric(id), own[id])),
      text.value({ unit: 'ratio' }, cores),
      text.value(loadMetric('cpu'), perRequest),
      text.value(loadMetric('percore'), perCore),
    ]),
  };
}

function addedText(added: AddedByHop | null, text: LoadText): string {
  if (added === null) return '–';
  const metric = loadMetric(added.metric);
  const reach = added.interval === null ? '' : ` ± ${text.delta(metric, marginOf(added.interval)).replace('+', '')}`;
  return `${text.delta(metric, added.delta)}${reach}`;
}
