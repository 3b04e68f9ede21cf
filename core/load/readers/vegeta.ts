import {
  NO_LATENCY,
  occurred,
  failuresOf,
  successOf,
  type LoadError,
  type LoadResult,
} from '../../contract/load/result.ts';
import { malformed, numberOf, parseDuration, splitAt, tidy, type LoadReader } from './reader.ts';
import * as z from 'zod';
import { parseJsonAs } from './json.ts';

const PERCENTS = [50, 90, 95, 99] as const;

const reportSchema = z.object({
  latencies: z.object({
    mean: z.number(),
    '50th': z.number(),
    '90th': z.number(),
    '95th': z.number(),
    '99th': z.number(),
    max: z.number(),
    min: z.number(),
  }),
  bytes_in: z.object({ total: z.number() }),
  duration: z.number(),
  wait: z.number(),
  requests: z.number(),
  status_codes: z.record(z.string(), z.number()),
  errors: z.array(z.string()).nullable(),
});

/** The JSON report of `vegeta report -type=json`. */
export const vegetaJsonReader: LoadReader = {
  tool: 'vegeta',
  read(text) {
    const report = parseJsonAs(text, reportSchema, 'vegeta’s report');
    const nano = (value: number): number => tidy(value / 1e9);
    const { latencies } = report;
    return [
      resultOf({
        requests: report.requests,
        seconds: nano(report.duration + report.wait),
        statuses: Object.entries(report.status_codes),
        failures: report.errors ?? [],
        bytes: report.bytes_in.total,
        min: nano(latencies.min),
        mean: nano(latencies.mean),
        max: nano(latencies.max),
        at: [latencies['50th'], latencies['90th'], latencies['95th'], latencies['99th']].map(nano),
      }),
    ];
  },
};

/** The text that `vegeta report` prints. */
export const vegetaReader: LoadReader = {
  tool: 'vegeta',
  read: (text) => splitAt(text, /^Requests +\[total, rate/).map((report) => readText(report.text, report.line)),
};

function readText(text: string, line: number): LoadResult {
  const cells = (label: string): string[] =>
    new RegExp(`^${label} +\\[.*?\\] +(.*)$`, 'm').exec(text)?.[1]?.split(', ') ?? [];
  const requests = numberOf(cells('Requests')[0]);
  const [total] = cells('Duration').map(parseDuration);
  const [min, p50, p90, p95, p99, max, mean] = latencyCells(text);
  const [codes] = cells('Status Codes');
  const bytes = numberOf(cells('Bytes In')[0]);
  if (requests === null || total === undefined || total === null || codes === undefined) {
    throw malformed('vegeta’s report ends before its status codes', line);
  }
  const [, failures = ''] = text.split(/^Error Set:$/m);
  return resultOf({
    requests,
    seconds: total,
    statuses: [...codes.matchAll(/(\d+):(\d+)/g)].map(([, code, count]) => [code!, Number(count)]),
    failures: failures.split('\n').filter((failure) => failure.trim() !== ''),
    bytes,
    min: min ?? null,
    mean: mean ?? null,
    max: max ?? null,
    at: [p50, p90, p95, p99].map((value) => value ?? null),
  });
}

/** Older versions print no minimum; the column names state which values there are. */
function latencyCells(text: string): (number | null)[] {
  const [, names = '', values = ''] = /^Latencies +\[(.*?)\] +(.*)$/m.exec(text) ?? [];
  const byName = new Map(names.split(', ').map((name, place) => [name, values.split(', ')[place]]));
  return ['min', '50', '90', '95', '99', 'max', 'mean'].map((name) => {
    const value = byName.get(name);
    return value === undefined ? null : parseDuration(value.trim());
  });
}

interface VegetaReport {
  readonly requests: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Status codes with their counts; 0 is that of requests without an answer. */
  readonly statuses: readonly (readonly [string, number])[];
  readonly failures: readonly string[];
  readonly bytes: number | null;
  readonly min: number | null;
  readonly mean: number | null;
  readonly max: number | null;
  /** By {@link PERCENTS}. */
  readonly at: readonly (number | null)[];
}

function resultOf({ requests, seconds, statuses, failures, bytes, min, mean, max, at }: VegetaReport): LoadResult {
  const lost = statuses.find(([code]) => code === '0')?.[1] ?? 0;
  const why = failures.find((failure) => !/^\d{3} /.test(failure)) ?? 'no answer';
  const errors: LoadError[] = occurred([
    ...statuses
      .filter(([code]) => code !== '0' && !/^[23]/.test(code))
      .map(([code, count]): LoadError => ({ kind: 'status', detail: code, count })),
    {
      kind: /timeout|deadline/i.test(why) ? 'timeout' : /dial tcp/.test(why) ? 'connect' : 'other',
      detail: why.slice(0, 200),
      count: lost,
    },
  ]);
  const hasLatencies = requests > lost;
  const percentiles = PERCENTS.flatMap((percent, place) =>
    at[place] === null ? [] : [{ percent, seconds: at[place]! }],
  );
  return {
    tool: 'vegeta',
    target: null,
    concurrency: null,
    seconds,
    requests,
    qps: seconds > 0 ? tidy((requests - lost) / seconds) : null,
    success: successOf(requests, failuresOf(errors)),
    errors,
    bytes,
    latency: hasLatencies ? { ...NO_LATENCY, mean, min, max, percentiles } : NO_LATENCY,
    notes: lost > 0 && hasLatencies ? ['vegeta counts the time until a request failed as a latency.'] : [],
  };
}
