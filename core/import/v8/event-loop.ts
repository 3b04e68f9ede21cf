import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import type { MeasuredSeries } from '../../model/profile.ts';
import { formatValue } from '../../units/format.ts';
import { arrayOrNone, isObject, numberOr, type JsonObject } from '../text/json-value.ts';

/** What the event loop of a Node process did in one second. */
export interface LoopReading {
  /** Microseconds on the clock of the profile's samples. */
  readonly at: number;
  /** Delay of timers in milliseconds, without the resolution of the measurement; null if the loop did not turn. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  /** Share of the time in which the loop was not waiting, 0 to 1. */
  readonly utilisation: number;
  /** Active handles and requests by type; null if they were not counted then. */
  readonly resources: ReadonlyMap<string, number> | null;
}

/** Maximum number of types that are kept of a reading. */
const MAX_TYPES = 64;

/** Reads the readings that collectors/node keeps with a profile; what is not a reading is left out. */
export const readLoopReadings = (value: unknown): LoopReading[] =>
  arrayOrNone(value, 'readings').flatMap((one) => {
    const at = isObject(one) ? numberOr(one['at'], Number.NaN) : Number.NaN;
    return Number.isFinite(at) && isObject(one) ? [readingOf(at, one)] : [];
  });

function readingOf(at: number, one: JsonObject): LoopReading {
  const amount = (name: string): number => Math.max(0, numberOr(one[name], 0));
  const { resources } = one;
  return {
    at,
    delay: amount('count') > 0 ? { p50: amount('p50'), p99: amount('p99'), max: amount('max') } : null,
    utilisation: Math.min(1, amount('utilisation')),
    resources: isObject(resources)
      ? new Map(
          Object.entries(resources)
            .slice(0, MAX_TYPES)
            .flatMap(([type, count]) => (numberOr(count, -1) < 0 ? [] : [[type.slice(0, 100), numberOr(count, 0)]])),
        )
      : null,
  };
}

/** Growth of a type of handles or requests. */
export interface ResourceGrowth {
  readonly type: string;
  readonly first: number;
  readonly last: number;
  readonly seconds: number;
  /** Per second, by least squares. */
  readonly slope: number;
}

/** Fewer readings show no trend, and fewer resources are no flood. */
const LEAST_READINGS = 5;
const LEAST_GROWTH = 100;

/** Returns the types that grew throughout, the steepest first. */
export function findGrowth(readings: readonly LoopReading[]): ResourceGrowth[] {
  const counted = readings.filter(({ resources }) => resources !== null);
  const types = new Set(counted.flatMap(({ resources }) => [...resources!.keys()]));
  const found = [...types].flatMap((type): ResourceGrowth[] => {
    const growth = growthOf(counted.map(({ at, resources }) => ({ at: at / 1e6, count: resources!.get(type) ?? 0 })));
    return growth === null ? [] : [{ type, ...growth }];
  });
  return found.sort((a, b) => b.slope - a.slope);
}

/**
 * Returns how a count grew that did so throughout: each value of the second half is above all of the first, the last
 * one is the highest, and at least `least` were added. Null if it did not, or if there are too few values
 * to say. `at` is in seconds.
 */
export function growthOf(
  points: readonly { readonly at: number; readonly count: number }[],
  least = LEAST_GROWTH,
): Omit<ResourceGrowth, 'type'> | null {
  const counts = points.map(({ count }) => count);
  const middle = Math.ceil(counts.length / 2);
  const [first = 0, last = 0] = [counts[0], counts.at(-1)];
  if (counts.length < LEAST_READINGS || last - first < least || last < Math.max(...counts)) return null;
  if (Math.min(...counts.slice(middle)) <= Math.max(...counts.slice(0, middle))) return null;
  return { first, last, seconds: points.at(-1)!.at - points[0]!.at, slope: slopeOf(points) };
}

function slopeOf(points: readonly { readonly at: number; readonly count: number }[]): number {
  const mean = (read: (point: { at: number; count: number }) => number): number =>
    points.reduce((sum, point) => sum + read(point), 0) / points.length;
  const [at, count] = [mean((point) => point.at), mean((point) => point.count)];
  const spread = mean((point) => (point.at - at) ** 2);
  return spread > 0 ? mean((point) => (point.at - at) * (point.count - count)) / spread : 0;
}

/** Returns the event loop's figures over a recording, one line each. */
export function describeLoop(readings: readonly LoopReading[]): string[] {
  if (readings.length === 0) return [];
  const delays = readings.flatMap(({ delay }) => delay ?? []);
  const worst = (read: (delay: NonNullable<LoopReading['delay']>) => number): string =>
    formatValue(Math.max(...delays.map(read)), 'milliseconds');
  const medians = delays.map(({ p50 }) => p50).sort((a, b) => a - b);
  const median = formatValue(medians[medians.length >> 1] ?? 0, 'milliseconds');
  const use = readings.reduce((sum, { utilisation }) => sum + utilisation, 0) / readings.length;
  const most = peaksOf(readings).slice(0, 5);
  return [
    `event loop: used ${(use * 100).toFixed(0)} % of the time; delay ${
      delays.length === 0
        ? 'unknown, because it did not turn'
        : `p50 ${median}, p99 ${worst(({ p99 }) => p99)}, max ${worst(({ max }) => max)} (p99 and max of the worst second)`
    }`,
    ...(most.length === 0
      ? []
      : [
          `handles and requests, at most: ${most.map(([type, count]) => `${formatValue(count, 'count')} ${type}`).join(', ')}`,
        ]),
  ];
}

/** Returns the highest count of each type of handles and requests, the highest first. */
function peaksOf(readings: readonly LoopReading[]): [type: string, count: number][] {
  const peaks = new Map<string, number>();
  for (const { resources } of readings)
    for (const [type, count] of resources ?? []) peaks.set(type, Math.max(peaks.get(type) ?? 0, count));
  return [...peaks].sort((a, b) => b[1] - a[1]);
}

/** Returns the values of a reading by the names of their series. */
export function loopValues({ delay, utilisation, resources }: LoopReading): Map<string, number> {
  const values = new Map([['event loop: utilisation', utilisation]]);
  for (const [name, value] of Object.entries(delay ?? {})) values.set(`event loop: delay ${name} (ms)`, value);
  for (const [type, count] of resources ?? []) values.set(type, count);
  return values;
}

/** Types of handles and requests that are kept as series, those with the highest counts. */
const MAX_TYPE_SERIES = 12;

/** Returns the readings as series on the time axis of a profile's samples. `origin`: microseconds of its time 0. */
export function loopSeries(readings: readonly LoopReading[], origin: number): MeasuredSeries[] {
  const rows = readings.toSorted((a, b) => a.at - b.at);
  const at = rows.map((one) => (one.at - origin) * 1000);
  const types = peaksOf(rows).slice(0, MAX_TYPE_SERIES);
  const delays = (['p50', 'p99', 'max'] as const).map((name): MeasuredSeries => ({
    name: `loop delay ${name}`,
    unit: 'milliseconds',
    at,
    values: rows.map(({ delay }) => delay?.[name] ?? null),
  }));
  const used = { name: 'loop utilisation', unit: 'ratio', at, values: rows.map((one) => one.utilisation) };
  const counts = types.map(([name]) => ({
    name,
    unit: 'count',
    at,
    // A type that is absent was counted as none.
    values: rows.map(({ resources }) => (resources === null ? null : (resources.get(name) ?? 0))),
  }));
  return rows.length === 0 ? [] : [used, ...delays, ...counts];
}

/** Adds a finding for each type that grows without bound. */
export function addGrowth(diagnostics: DiagnosticCounter, readings: readonly LoopReading[]): void {
  for (const growth of findGrowth(readings)) {
    const code = `growing-${growth.type.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
    const remedy = 'Find what starts them faster than they end.';
    diagnostics.add(code, growthSentence(growth), { remedy });
  }
}

export function growthSentence({ type, first, last, seconds, slope }: ResourceGrowth): string {
  const count = (value: number): string => formatValue(Math.round(value), 'count');
  return `${type} grew from ${count(first)} to ${count(last)} in ${seconds.toFixed(0)} s (${count(slope)} per second) and did not fall.`;
}
