import type { RunSeries } from '../../contract/load/result.ts';

/** Cumulative counts of a histogram by upper bound in seconds, summed over its label sets; the last bound is Infinity. */
export type HistogramCounts = ReadonlyMap<number, number>;

/** Histograms of a Prometheus endpoint at one time, by name. */
export interface HistogramPoll {
  /** Unix epoch milliseconds of the machine that polls. */
  readonly at: number;
  readonly histograms: ReadonlyMap<string, HistogramCounts>;
}

const BUCKET = /^([A-Za-z_:][\w:]{0,199})_bucket\{([^\n]{0,1000})\}[ \t]+(\d[\d.]*(?:e[+-]?\d+)?)(?:[ \t]+-?\d+)?$/i;
const BOUND = /(?:^|,)\s*le="([^"]{1,40})"/;
/** Maximum number of buckets that are read from one answer. */
const MAX_BUCKETS = 50_000;

/** Seconds of a unit in a histogram's name, see prometheus.io/docs/practices/naming; null: not a duration. */
function unitOf(name: string): number | null {
  if (/(?:^|_)(?:seconds|sec|s)(?:_|$)/i.test(name)) return 1;
  if (/(?:^|_)(?:milliseconds|millis|msec|ms)(?:_|$)/i.test(name)) return 1e-3;
  return /(?:^|_)(?:microseconds|micros|us)(?:_|$)/i.test(name) ? 1e-6 : null;
}

/** Reads the histograms of durations in the text format of Prometheus. */
export function readHistograms(text: string): Map<string, Map<number, number>> {
  const found = new Map<string, Map<number, number>>();
  let buckets = 0;
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', word = ''] = BUCKET.exec(line.trim()) ?? [];
    const unit = name === '' ? null : unitOf(name);
    const bound = Number(BOUND.exec(labels)?.[1]?.replace(/^\+?Inf$/i, 'Infinity') ?? Number.NaN);
    const count = Number(word);
    if (unit === null || Number.isNaN(bound) || bound < 0 || !Number.isFinite(count)) continue;
    if ((buckets += 1) > MAX_BUCKETS) break;
    const counts = found.get(name) ?? new Map<number, number>();
    found.set(name, counts);
    const upTo = bound * unit;
    counts.set(upTo, (counts.get(upTo) ?? 0) + count);
  }
  return found;
}

/** Returns how many each bucket gained between two polls, in ascending order; null if a counter was reset. */
function gained(before: HistogramCounts, after: HistogramCounts): { upTo: number; count: number }[] | null {
  const rows = [...after]
    .sort(([a], [b]) => a - b)
    .map(([upTo, count]) => ({ upTo, count: count - (before.get(upTo) ?? 0) }));
  const isWhole =
    rows.at(-1)?.upTo === Infinity && rows.every(({ count }, place) => count >= (rows[place - 1]?.count ?? 0));
  return isWhole ? rows : null;
}

/**
 * Returns a percentile of cumulative counts as Prometheus's `histogram_quantile` does: interpolated within its bucket.
 * Null without a count, or beyond the last finite bound.
 */
function percentileOf(
  rows: readonly { readonly upTo: number; readonly count: number }[],
  percent: number,
): number | null {
  const total = rows.at(-1)?.count ?? 0;
  const rank = (percent / 100) * total;
  const place = rows.findIndex(({ count }) => count >= rank);
  const row = rows[place];
  if (row === undefined || total === 0 || row.upTo === Infinity) return null;
  const [from, below] = place === 0 ? [0, 0] : [rows[place - 1]!.upTo, rows[place - 1]!.count];
  return row.count === below ? row.upTo : from + ((row.upTo - from) * (rank - below)) / (row.count - below);
}

/** Returns the histogram that counted most between the polls, or the named one; null if none counted. */
function chosen(first: HistogramPoll, last: HistogramPoll, asked: string | null): string | null {
  const counts = [...last.histograms].flatMap(([name, after]) => {
    const rows = gained(first.histograms.get(name) ?? new Map(), after);
    const count = rows?.at(-1)?.count ?? 0;
    return count > 0 && (asked === null || asked === name) ? [{ name, count }] : [];
  });
  return counts.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))[0]?.name ?? null;
}

/**
 * Returns p90 and p99 of a component between the first and the last poll of a run, and answers per second, p50 and p99
 * from poll to poll. Null if no histogram counted, or its percentiles lie beyond its last bound.
 */
export function histogramSeries(
  title: string,
  polls: readonly HistogramPoll[],
  { from, to }: { readonly from: number; readonly to: number },
  { hop, metric }: { readonly hop: { readonly name: string }; readonly metric: string | null },
): RunSeries | null {
  const own = polls.filter(({ at }) => at >= from && at <= to);
  const [first, last] = [own[0], own.at(-1)];
  const name = first === undefined || last === undefined ? null : chosen(first, last, metric);
  if (name === null) return null;
  const between = (before: HistogramPoll, after: HistogramPoll) =>
    gained(before.histograms.get(name) ?? new Map(), after.histograms.get(name) ?? new Map()) ?? [];
  const whole = between(first!, last!);
  const [p90, p99] = [percentileOf(whole, 90), percentileOf(whole, 99)];
  if (p90 === null || p99 === null) return null;
  const steps = own.slice(1).map((after, place) => ({ before: own[place]!, after, rows: between(own[place]!, after) }));
  return {
    name: `${title}: ${name}`.slice(0, 100),
    pid: null,
    at: steps.map(({ before }) => Math.round(before.at - from) / 1000),
    series: [
      {
        id: 'answers',
        values: steps.map(({ before, after, rows }) => ((rows.at(-1)?.count ?? 0) * 1000) / (after.at - before.at)),
      },
      ...[50, 99].map((percent) => ({
        id: `p${percent}`,
        values: steps.map(({ rows }) => percentileOf(rows, percent)),
      })),
    ],
    answers: { hop: { name: hop.name, latency: { p90, p99 } }, count: whole.at(-1)!.count, lost: 0, failed: 0 },
  };
}
