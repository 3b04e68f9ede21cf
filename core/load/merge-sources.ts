import { failuresOf, successOf, type LoadResult } from '../contract/load/result.ts';
import { describeCounted } from './answers/describe-latencies.ts';
import { malformed } from './readers/reader.ts';
import { readLoadResults } from './read-load-results.ts';
import { errorsOf } from './sweep.ts';

/** Connections of one of several machines that share a step; the first ones have one more if it does not divide. */
export const shareOf = (concurrency: number, machines: number, place: number): number =>
  Math.floor(concurrency / machines) + (place < concurrency % machines ? 1 : 0);

/** wrk's script for a machine that is not the only one, in the folder that it runs in. */
export const LATENCIES_FILE = 'latencies.lua';
const TITLE = 'All latencies in us';

/** Prints each latency, rounded to three digits as in wrk's own table, with its count: at most 7,200 lines. */
export const LATENCIES_SCRIPT = `done = function(summary, latency, requests)
  io.write("${TITLE}\\n")
  local last, sum = nil, 0
  local function flush()
    if last ~= nil then io.write(string.format("%.0f %.0f\\n", last, sum)) end
  end
  for place = 1, #latency do
    local value, count = latency(place)
    local step = 10 ^ math.max(0, math.floor(math.log10(math.max(1, value))) - 2)
    local rounded = math.floor(value / step + 0.5) * step
    if rounded ~= last then
      flush()
      last, sum = rounded, 0
    end
    sum = sum + count
  end
  flush()
end
`;

/**
 * Merges the reports of wrk on machines that sent load at the same moment: answers, errors and QPS add up, and
 * percentiles are those of all latencies, which `LATENCIES_SCRIPT` printed. Throws an `ImportFailure` if a report is
 * missing or lacks them.
 */
export function mergeSources(text: string, hosts: readonly string[]): LoadResult {
  const parts = readLoadResults(text);
  const [first] = parts;
  if (first === undefined || parts.length !== hosts.length)
    throw malformed(`${parts.length} of ${hosts.length} machines have a report`);
  if (text.split('\n').filter((line) => line.trim() === TITLE).length !== parts.length)
    throw malformed('a report of wrk lacks its single latencies');
  const sumOf = (read: (part: LoadResult) => number | null): number =>
    parts.reduce((sum, part) => sum + (read(part) ?? 0), 0);
  const errors = errorsOf({ concurrency: null, runs: parts });
  const requests = sumOf((part) => part.requests);
  return {
    ...first,
    concurrency: sumOf((part) => part.concurrency),
    seconds: Math.max(...parts.map(({ seconds }) => seconds ?? 0)),
    requests,
    qps: sumOf(({ qps }) => qps),
    success: successOf(requests, failuresOf(errors)),
    errors,
    bytes: sumOf(({ bytes }) => bytes),
    latency: describeCounted(countsIn(text)),
    notes: [
      `${hosts.join(', ')} sent the load together; percentiles are those of all their latencies, with three digits.`,
      ...new Set(parts.flatMap(({ notes }) => notes)),
    ],
  };
}

/** Sums the counts of equal latencies, in ascending order. */
function countsIn(text: string): { seconds: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const [, value, count] of text.matchAll(/^(\d+) (\d+)\r?$/gm))
    counts.set(Number(value), (counts.get(Number(value)) ?? 0) + Number(count));
  return [...counts].sort(([a], [b]) => a - b).map(([value, count]) => ({ seconds: value / 1e6, count }));
}
