import type { LoadResult, RunSeries } from '../../contract/load/result.ts';
import { describeLatencies, nearestRank } from './describe-latencies.ts';

/** Maximum number of intervals of a run. */
const MAX_INTERVALS = 120;

/** Single answers, collected while a result is read. */
export interface Answers {
  /** `at`: when it arrived, in seconds; NaN: unknown. */
  add(at: number, seconds: number): void;
  count(): number;
  /** Returns latency and, if all times are known, latencies over the run's seconds since `start`. */
  describe(tool: string, seconds: number | null, start?: number): Pick<LoadResult, 'latency' | 'overTime'>;
}

export function createAnswers(): Answers {
  const at: number[] = [];
  const latencies: number[] = [];
  return {
    add(when, seconds) {
      at.push(when);
      latencies.push(seconds);
    },
    count: () => latencies.length,
    describe(tool, seconds, start = 0) {
      const overTime =
        seconds === null || seconds <= 0 || at.length === 0 || at.some(Number.isNaN)
          ? null
          : answersOverTime(
              at.map((when) => when - start),
              latencies,
              seconds,
            );
      return {
        latency: describeLatencies(latencies),
        ...(overTime === null ? {} : { overTime: { name: `answers of ${tool}`, pid: null, ...overTime } }),
      };
    },
  };
}

/**
 * Returns answers per second, p50 and p99 by second, or by as many whole seconds that `most` intervals, 120 by default, are enough; the last
 * interval also has the rest of the run if that is shorter than half of one. An answer counts when it arrives;
 * percentiles are by nearest rank, so p99 of fewer than 100 answers is the slowest of them.
 */
export function answersOverTime(
  at: readonly number[],
  latencies: readonly number[],
  seconds: number,
  most = MAX_INTERVALS,
): Pick<RunSeries, 'at' | 'series'> {
  const width = Math.max(1, Math.ceil(seconds / most));
  const length = Math.min(most, Math.max(1, Math.round(seconds / width)));
  const intervals = Array.from({ length }, (): number[] => []);
  for (const [place, when] of at.entries()) {
    intervals[Math.min(length - 1, Math.max(0, Math.floor(when / width)))]!.push(latencies[place]!);
  }
  const sorted = intervals.map((one) => Float64Array.from(one).sort());
  const lasting = (place: number): number => (place === length - 1 ? seconds - place * width : width);
  const percentile = (percent: number): (number | null)[] =>
    sorted.map((one) => (one.length === 0 ? null : nearestRank(one, percent)));
  return {
    at: intervals.map((_, place) => place * width),
    series: [
      { id: 'answers', values: intervals.map((one, place) => one.length / lasting(place)) },
      { id: 'p50', values: percentile(50) },
      { id: 'p99', values: percentile(99) },
    ],
  };
}
