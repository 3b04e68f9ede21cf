import { NO_LATENCY, type Latency, type LatencyBucket } from '../../contract/load/result.ts';
import { populationsOf, type LatencyCell } from './populations.ts';

/** The percentiles that are kept of complete data. */
const KEPT_PERCENTS = [10, 25, 50, 75, 90, 95, 99, 99.9] as const;

/** Number of buckets of a histogram made from single latencies. */
const BUCKETS = 50;

/** Describes single latencies, in seconds, in any order. Percentiles are by nearest rank. */
export function describeLatencies(latencies: readonly number[]): Latency {
  if (latencies.length === 0) return NO_LATENCY;
  const sorted = Float64Array.from(latencies).sort();
  const count = sorted.length;
  const mean = sorted.reduce((sum, one) => sum + one, 0) / count;
  const squares = sorted.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return {
    mean,
    deviation: Math.sqrt(squares / count),
    min: sorted[0]!,
    max: sorted[count - 1]!,
    percentiles: KEPT_PERCENTS.map((percent) => ({ percent, seconds: nearestRank(sorted, percent) })),
    buckets: bucketsOf(sorted),
    ...populations(equalValues(sorted)),
  };
}

/** Returns the percentile of ascending values by nearest rank. */
export const nearestRank = (sorted: Float64Array, percent: number): number =>
  sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100 - 1e-9) - 1)]!;

function populations(cells: readonly LatencyCell[]): Pick<Latency, 'populations'> {
  const found = populationsOf(cells);
  return found === null ? {} : { populations: found };
}

function equalValues(sorted: Float64Array): LatencyCell[] {
  const cells: LatencyCell[] = [];
  for (let place = 0; place < sorted.length;) {
    const value = sorted[place]!;
    const start = place;
    while (sorted[place] === value) place += 1;
    cells.push({ from: value, to: value, count: place - start });
  }
  return cells;
}

/** Returns buckets of equal ratio from the smallest to the largest latency. */
function bucketsOf(sorted: Float64Array): LatencyBucket[] {
  const [first, last] = [Math.max(sorted[0]!, 1e-6), sorted[sorted.length - 1]!];
  if (!(last > first)) return [{ upTo: last, count: sorted.length }];
  const ratio = (last / first) ** (1 / BUCKETS);
  const buckets: LatencyBucket[] = [];
  let place = 0;
  for (let bucket = 0; bucket <= BUCKETS; bucket++) {
    const upTo = bucket === BUCKETS ? last : first * ratio ** bucket;
    const from = place;
    while (place < sorted.length && sorted[place]! <= upTo) place += 1;
    if (place > from) buckets.push({ upTo, count: place - from });
  }
  return buckets;
}

/** Latencies that were counted by value. */
export interface CountedLatency {
  readonly seconds: number;
  readonly count: number;
  /** The value to use in the mean, if `seconds` is the upper end of a range. */
  readonly middle?: number;
}

/** Like {@link describeLatencies}, of values with counts in ascending order. */
export function describeCounted(values: readonly CountedLatency[]): Latency {
  const total = values.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return NO_LATENCY;
  const mean = values.reduce((sum, { seconds, middle = seconds, count }) => sum + middle * count, 0) / total;
  const squares = values.reduce((sum, { seconds, middle = seconds, count }) => sum + count * (middle - mean) ** 2, 0);
  const at = (percent: number): number => {
    const rank = Math.max(1, Math.ceil((percent * total) / 100 - 1e-9));
    let seen = 0;
    return values.find(({ count }) => (seen += count) >= rank)!.seconds;
  };
  return {
    mean,
    deviation: Math.sqrt(squares / total),
    min: values[0]!.seconds,
    max: values.at(-1)!.seconds,
    percentiles: KEPT_PERCENTS.map((percent) => ({ percent, seconds: at(percent) })),
    buckets: mergeBuckets(values.map(({ seconds, count }) => ({ upTo: seconds, count }))),
    ...populations(values.map(({ seconds, count }) => ({ from: seconds, to: seconds, count }))),
  };
}

/** Buckets of HdrHistogram at full precision would be thousands. */
const MOST_BUCKETS = 200;

/** Merges neighbours so that at most {@link MOST_BUCKETS} remain. */
function mergeBuckets(buckets: readonly LatencyBucket[]): LatencyBucket[] {
  const size = Math.ceil(buckets.length / MOST_BUCKETS);
  const merged: LatencyBucket[] = [];
  for (let from = 0; from < buckets.length; from += size) {
    const group = buckets.slice(from, from + size);
    merged.push({ upTo: group.at(-1)!.upTo, count: group.reduce((sum, { count }) => sum + count, 0) });
  }
  return merged;
}
