import type { LoadResult } from '../contract/load/result.ts';
import { malformed } from './readers/reader.ts';

/** Seconds: 292 years, as for profiles. */
const MAX_SECONDS = 2 ** 63 / 1e9;
/** More answers per second than any machine gives. */
const MAX_QPS = 1e12;
const MAX_COUNT = 2 ** 63;

/** Returns the result. Throws an `ImportFailure` (`malformed`) for a number that no load test has: negative or without end. */
export function judgeLoadResult(result: LoadResult): LoadResult {
  const { seconds, requests, qps, bytes, errors, latency } = result;
  judge('duration', MAX_SECONDS, [seconds]);
  judge('number of requests', MAX_COUNT, [requests]);
  judge('number of answers per second', MAX_QPS, [qps]);
  judge('number of bytes', MAX_COUNT, [bytes]);
  judge(
    'number of errors',
    MAX_COUNT,
    errors.map(({ count }) => count),
  );
  const { mean, deviation, min, max, percentiles, buckets } = latency;
  const latencies = [...percentiles.map((one) => one.seconds), ...buckets.map(({ upTo }) => upTo)];
  judge('latency', MAX_SECONDS, [mean, deviation, min, max, ...latencies]);
  judge(
    'number of answers',
    MAX_COUNT,
    buckets.map(({ count }) => count),
  );
  return result;
}

function judge(what: string, most: number, values: readonly (number | null)[]): void {
  const wrong = values.find((value) => value !== null && !(value >= 0 && value <= most));
  if (wrong === undefined) return;
  throw malformed(`the result has an impossible ${what}, ${wrong}; check the tool that wrote it, or run it again`);
}
