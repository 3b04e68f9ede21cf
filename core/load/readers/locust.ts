import * as z from 'zod';
import { splitCells } from '../../import/text/csv-cells.ts';
import { describeCounted } from '../answers/describe-latencies.ts';
import { occurred, successOf, type LoadResult, type RunSeries } from '../../contract/load/result.ts';
import { parseJsonAs } from './json.ts';
import { malformed, milliseconds, numberOf, tidy, type LoadReader } from './reader.ts';

const entrySchema = z.array(
  z.object({
    name: z.string(),
    num_requests: z.number(),
    num_failures: z.number(),
    total_response_time: z.number(),
    max_response_time: z.number().nullable(),
    min_response_time: z.number().nullable(),
    total_content_length: z.number(),
    response_times: z.record(z.string(), z.number()),
    start_time: z.number(),
    last_request_timestamp: z.number().nullable(),
  }),
);

const ROUNDED = 'Locust rounds response times for its percentiles: to 10 ms above 100 ms, to 100 ms above 1 s.';

const failureNotes = (failures: number): string[] =>
  failures > 0 ? ['Locust counts requests without an answer in its rate and latencies.'] : [];

/** The result of `locust --json`: all requests of all names together. */
export const locustJsonReader: LoadReader = {
  tool: 'locust',
  read(text) {
    const entries = parseJsonAs(text, entrySchema, 'Locust’s result');
    const sum = (read: (entry: (typeof entries)[number]) => number): number =>
      entries.reduce((total, entry) => total + read(entry), 0);
    const requests = sum((entry) => entry.num_requests);
    const failures = sum((entry) => entry.num_failures);
    const counts = new Map<number, number>();
    for (const { response_times: times } of entries) {
      for (const [time, count] of Object.entries(times))
        counts.set(Number(time), (counts.get(Number(time)) ?? 0) + count);
    }
    const values = [...counts]
      .filter(([time]) => Number.isFinite(time))
      .sort(([a], [b]) => a - b)
      .map(([time, count]) => ({ seconds: time / 1000, count }));
    const start = Math.min(...entries.map((entry) => entry.start_time));
    const end = Math.max(...entries.map((entry) => entry.last_request_timestamp ?? entry.start_time));
    const seconds = entries.length > 0 && end > start ? tidy(end - start) : null;
    const most = (
      pick: (...values: number[]) => number,
      key: 'min_response_time' | 'max_response_time',
    ): number | null => {
      const known = entries.flatMap((entry) => entry[key] ?? []);
      return known.length === 0 ? null : milliseconds(pick(...known));
    };
    return [
      {
        tool: 'locust',
        target: entries.length === 1 ? entries[0]!.name : null,
        concurrency: null,
        seconds,
        requests,
        qps: seconds === null ? null : tidy(requests / seconds),
        success: successOf(requests, failures),
        errors: occurred([{ kind: 'other', detail: 'failures', count: failures }]),
        bytes: sum((entry) => entry.total_content_length),
        latency: {
          ...describeCounted(values),
          mean: requests > 0 ? milliseconds(sum((entry) => entry.total_response_time) / requests) : null,
          min: most(Math.min, 'min_response_time'),
          max: most(Math.max, 'max_response_time'),
        },
        notes: [ROUNDED, ...failureNotes(failures)],
      },
    ];
  },
};

const LAGS = 'Locust writes its CSV once a second, so the last requests may be missing; `locust --json` has all.';
const LAST_SECONDS =
  'The percentiles of --csv-full-history are those of the last 10 s, so the run has none; `locust --json` has them.';
const PERCENT = /^(\d{1,3}(?:\.\d+)?)%$/;

/** `…_stats.csv`: the row of all requests, or the only one. */
export const locustStatsReader: LoadReader = {
  tool: 'locust',
  read(text) {
    const { header, rows } = readCsv(text);
    const row = rows.find((cells) => cells[1] === 'Aggregated') ?? (rows.length === 1 ? rows[0] : undefined);
    if (row === undefined)
      throw malformed('Locust’s statistics have no row of all requests (Aggregated)', rows.length + 1);
    const at = cellsByName(header, row);
    return [
      resultOf({
        name: at('Name') === 'Aggregated' ? null : at('Name')!,
        requests: numberOf(at('Request Count')),
        failures: numberOf(at('Failure Count')),
        qps: numberOf(at('Requests/s')),
        mean: numberOf(at('Average Response Time')),
        min: numberOf(at('Min Response Time')),
        max: numberOf(at('Max Response Time')),
        header,
        row,
        concurrency: null,
        seconds: null,
      }),
    ];
  },
};

/** `…_stats_history.csv`: the last row of all requests. */
export const locustHistoryReader: LoadReader = {
  tool: 'locust',
  read(text) {
    const { header, rows } = readCsv(text);
    const all = rows.filter((cells) => cells[3] === 'Aggregated');
    const last = all.at(-1);
    if (last === undefined) throw malformed('Locust’s history has no row of all requests (Aggregated)', 1);
    const at = cellsByName(header, last);
    const seconds = Number(last[0]) - Number(all[0]![0]);
    const requests = numberOf(at('Total Request Count'));
    // With --csv-full-history, each name has rows too, and percentiles are those of the last 10 s.
    const isFull = rows.some((cells) => cells[3] !== 'Aggregated');
    const overTime = historyOf(header, all, isFull);
    return [
      resultOf({
        name: null,
        requests,
        failures: numberOf(at('Total Failure Count')),
        qps: requests === null || !(seconds > 0) ? null : tidy(requests / seconds),
        mean: numberOf(at('Total Average Response Time')),
        min: numberOf(at('Total Min Response Time')),
        max: numberOf(at('Total Max Response Time')),
        header,
        row: last,
        concurrency: all.reduce((most, cells) => Math.max(most, numberOf(cells[1]) ?? 0), 0) || null,
        seconds: seconds > 0 ? seconds : null,
        isOfLastSeconds: isFull,
        ...(overTime === null ? {} : { overTime }),
      }),
    ];
  },
};

/** Maximum number of rows that a history's series keep. */
const MAX_ROWS = 120;

/** Returns the rows of all requests as series: rate and mean between two of them, and what Locust says of each. */
function historyOf(header: readonly string[], rows: readonly (readonly string[])[], isFull: boolean): RunSeries | null {
  const each = Math.max(1, Math.ceil(rows.length / MAX_ROWS));
  const kept = rows.filter((_, place) => place % each === 0);
  const start = numberOf(kept[0]?.[0]);
  const read = kept.map((row) => {
    const at = cellsByName(header, row);
    const requests = numberOf(at('Total Request Count')) ?? 0;
    return {
      at: Number(row[0]) - (start ?? Number.NaN),
      requests,
      time: requests * (numberOf(at('Total Average Response Time')) ?? 0),
      clients: numberOf(row[1]),
      // Before the first full second, all percentiles are 0.
      percentile: (name: string) => (numberOf(at('100%')) === 0 ? null : milliseconds(numberOf(at(name)))),
    };
  });
  const isAscending = read.every(({ at }, place) => at >= (read[place - 1]?.at ?? 0));
  if (read.length < 2 || !isAscending) return null;
  const between = (of: (row: Row, before: Row) => number | null): (number | null)[] =>
    read.map((row, place) => {
      const before = read[place - 1];
      const value = before === undefined ? null : of(row, before);
      // Locust may reset its counts once all users have started.
      return value !== null && value >= 0 && Number.isFinite(value) ? tidy(value) : null;
    });
  type Row = (typeof read)[number];
  const series = [
    { id: 'clients', values: read.map(({ clients }) => clients) },
    { id: 'answers', values: between((row, before) => (row.requests - before.requests) / (row.at - before.at)) },
    {
      id: 'mean',
      values: between((row, before) => (row.time - before.time) / (row.requests - before.requests) / 1000),
    },
    ...(isFull
      ? [
          { id: 'p50', values: read.map(({ percentile }) => percentile('50%')) },
          { id: 'p99', values: read.map(({ percentile }) => percentile('99%')) },
        ]
      : []),
  ];
  return {
    name: isFull ? 'Locust (percentiles of the last 10 s)' : 'Locust',
    pid: null,
    at: read.map(({ at }) => at),
    series: series.filter(({ values }) => values.some((value) => value !== null)),
  };
}

interface LocustRow {
  readonly name: string | null;
  readonly requests: number | null;
  readonly failures: number | null;
  readonly qps: number | null;
  /** Milliseconds. */
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly header: readonly string[];
  readonly row: readonly string[];
  readonly concurrency: number | null;
  readonly seconds: number | null;
  /** The row's percentiles are not those of the whole run. */
  readonly isOfLastSeconds?: boolean;
  readonly overTime?: RunSeries;
}

function resultOf({
  name,
  requests,
  failures,
  qps,
  mean,
  min,
  max,
  header,
  row,
  concurrency,
  seconds,
  isOfLastSeconds = false,
  overTime,
}: LocustRow): LoadResult {
  if (requests === null || failures === null) throw malformed('Locust’s row of all requests has no counts');
  const isEmpty = requests === 0;
  return {
    tool: 'locust',
    target: name,
    concurrency,
    seconds,
    requests,
    qps,
    success: successOf(requests, failures),
    errors: occurred([{ kind: 'other', detail: 'failures', count: failures }]),
    bytes: null,
    latency: {
      mean: isEmpty ? null : milliseconds(mean),
      deviation: null,
      min: isEmpty ? null : milliseconds(min),
      max: isEmpty ? null : milliseconds(max),
      percentiles: header.flatMap((title, column) => {
        if (isOfLastSeconds) return [];
        const percent = Number(PERCENT.exec(title)?.[1] ?? Number.NaN);
        const value = numberOf(row[column]);
        return Number.isNaN(percent) || percent >= 100 || value === null || isEmpty
          ? []
          : [{ percent, seconds: value / 1000 }];
      }),
      buckets: [],
    },
    ...(overTime === undefined ? {} : { overTime }),
    notes: [LAGS, ...(isOfLastSeconds ? [LAST_SECONDS] : []), ROUNDED, ...failureNotes(failures)],
  };
}

const cellsByName =
  (header: readonly string[], row: readonly string[]) =>
  (name: string): string | undefined =>
    row[header.indexOf(name)];

/** Rows with another number of cells than the header, as at the end of a truncated file, are left out. */
function readCsv(text: string): { header: string[]; rows: string[][] } {
  const [header = [], ...rows] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => splitCells(line, ',') ?? []);
  return { header, rows: rows.filter((cells) => cells.length === header.length) };
}
