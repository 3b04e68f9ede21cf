import * as z from 'zod';
import { occurred, successOf, type LoadError, type LoadResult } from '../../contract/load/result.ts';
import { parseJsonAs } from './json.ts';
import { malformed, milliseconds, numberOf, parseDuration, splitAt, tidy, type LoadReader } from './reader.ts';

/** Metrics are flat in `--summary-export`, and under `values` in `handleSummary`. */
const metricSchema = z.record(z.string(), z.unknown());
const summarySchema = z.object({
  metrics: z.record(z.string(), metricSchema),
  state: z.object({ testRunDurationMs: z.number() }).partial().optional(),
});

const NO_REQUESTS =
  'k6’s summary has no count of HTTP requests (http_reqs): the script sent none, or the summary is cut off';

/** The JSON of `k6 run --summary-export`, or of a script's `handleSummary`. */
export const k6JsonReader: LoadReader = {
  tool: 'k6',
  read(text) {
    const { metrics, state } = parseJsonAs(text, summarySchema, 'k6’s summary');
    const valueOf = (metric: string, name: string): number | null => {
      const found = metrics[metric];
      const values = found?.['values'];
      const flat = typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : found;
      const value = flat?.[name];
      return typeof value === 'number' ? value : null;
    };
    const requests = valueOf('http_reqs', 'count');
    const rate = valueOf('http_reqs', 'rate');
    if (requests === null) throw malformed(NO_REQUESTS);
    const failed =
      valueOf('http_req_failed', 'passes') ??
      Math.round((valueOf('http_req_failed', 'value') ?? valueOf('http_req_failed', 'rate') ?? 0) * requests);
    const duration = (name: string): number | null => milliseconds(valueOf('http_req_duration', name));
    return [
      resultOf({
        requests,
        failed,
        rate,
        seconds: state?.testRunDurationMs === undefined ? null : milliseconds(state.testRunDurationMs),
        users: valueOf('vus_max', 'max') ?? valueOf('vus_max', 'value'),
        bytes: valueOf('data_received', 'count'),
        duration,
        percentiles: [
          ...new Set(Object.keys(metrics['http_req_duration']?.['values'] ?? metrics['http_req_duration'] ?? {})),
        ]
          .flatMap((name) => /^p\((\d+(?:\.\d+)?)\)$/.exec(name)?.[1] ?? [])
          .map((percent) => ({ percent: Number(percent), seconds: duration(`p(${percent})`) })),
        hasThreshold: /"thresholds":\s*\{[^}]*(?:true|"ok":\s*false)/.test(text),
      }),
    ];
  },
};

/** The summary that k6 prints at the end, of versions 0 and 1. */
export const k6Reader: LoadReader = {
  tool: 'k6',
  read: (text) => {
    const reports = splitAt(text, /^[ \t]*data_received\.*:/);
    const isOld = reports.length > 0 && /http_req_duration\.*:/.test(reports[0]!.text);
    return isOld ? reports.map((report) => readText(report.text, report.line, text)) : [readText(text, 1, text)];
  },
};

function readText(text: string, line: number, whole: string): LoadResult {
  const row = (metric: string): string | null =>
    new RegExp(`^[ \\t]*${metric}\\.*: (.*)$`, 'm').exec(text)?.[1]?.trim() ?? null;
  const [count, rate] = row('http_reqs')?.split(/\s+/) ?? [];
  const requests = numberOf(count);
  if (requests === null) throw malformed(NO_REQUESTS, line);
  const times = new Map(
    [...(row('http_req_duration') ?? '').matchAll(/(\S+?)=(\S+)/g)].map(([, name, value]) => [
      name!,
      parseDuration(value!),
    ]),
  );
  const failed = /(\d+) out of (\d+)/.exec(row('http_req_failed') ?? '');
  const [old] = /✗ \d+/.exec(row('http_req_failed') ?? '') === null ? [] : [/✓ (\d+)/.exec(row('http_req_failed')!)];
  return resultOf({
    requests,
    failed: Number(failed?.[1] ?? old?.[1] ?? 0),
    rate: numberOf(rate?.replace('/s', '')),
    seconds: null,
    users: numberOf(/max=(\d+)/.exec(row('vus_max') ?? '')?.[1]),
    bytes: null,
    duration: (name) => times.get(name) ?? null,
    percentiles: [...times].flatMap(([name, seconds]) => {
      const percent = /^p\((\d+(?:\.\d+)?)\)$/.exec(name)?.[1];
      return percent === undefined ? [] : [{ percent: Number(percent), seconds }];
    }),
    hasThreshold: /thresholds on metrics .* have been crossed|✗ '[^']*'/.test(whole),
  });
}

interface Summary {
  readonly requests: number;
  readonly failed: number;
  readonly rate: number | null;
  readonly seconds: number | null;
  readonly users: number | null;
  readonly bytes: number | null;
  /** Seconds; `avg`, `min`, `med`, `max`. */
  readonly duration: (name: string) => number | null;
  readonly percentiles: readonly { readonly percent: number; readonly seconds: number | null }[];
  readonly hasThreshold: boolean;
}

function resultOf({
  requests,
  failed,
  rate,
  seconds,
  users,
  bytes,
  duration,
  percentiles,
  hasThreshold,
}: Summary): LoadResult {
  // Of requests that could not connect, k6 counts latencies of 0.
  const hasLatencies = requests > 0 && duration('max') !== 0;
  const median = duration('med');
  const known = [
    ...(median === null || percentiles.some(({ percent }) => percent === 50) ? [] : [{ percent: 50, seconds: median }]),
    ...percentiles.flatMap(({ percent, seconds: value }) => (value === null ? [] : [{ percent, seconds: value }])),
  ];
  const errors: LoadError[] = occurred([
    { kind: 'other', detail: 'http_req_failed: no answer, or 4xx and 5xx', count: failed },
  ]);
  return {
    tool: 'k6',
    target: null,
    concurrency: users,
    seconds: seconds ?? (rate !== null && rate > 0 ? tidy(requests / rate) : null),
    requests,
    qps: rate,
    success: successOf(requests, failed),
    errors,
    bytes,
    latency: {
      mean: hasLatencies ? duration('avg') : null,
      deviation: null,
      min: hasLatencies ? duration('min') : null,
      max: hasLatencies ? duration('max') : null,
      percentiles: hasLatencies ? known.sort((a, b) => a.percent - b.percent) : [],
      buckets: [],
    },
    notes: [
      'k6 counts requests without an answer in its rate and latencies.',
      ...(hasThreshold ? ['A threshold was missed, so k6 exited with 99; the result is complete.'] : []),
    ],
  };
}
