import * as z from 'zod';
import { NO_LATENCY, occurred, successOf, type Latency } from '../../contract/load/result.ts';
import { countText } from '../../units/format.ts';
import { parseJsonAs } from './json.ts';
import { malformed, milliseconds, splitAt, type LoadReader } from './reader.ts';

const PERCENTS: Readonly<Record<string, number>> = {
  p10: 10,
  p25: 25,
  p50: 50,
  p75: 75,
  p90: 90,
  p97_5: 97.5,
  p99: 99,
  p99_9: 99.9,
};

const count = z.number().nonnegative();
const resultSchema = z.object({
  url: z.string().nullish(),
  connections: count,
  duration: count,
  errors: count,
  timeouts: count,
  mismatches: count.default(0),
  resets: count.default(0),
  non2xx: count,
  '2xx': count,
  statusCodeStats: z.record(z.string(), z.object({ count })).default({}),
  latency: z.object({ average: count, stddev: count, min: count, max: count }).catchall(z.unknown()),
  requests: z.object({ total: count, sent: count.optional() }),
  throughput: z.object({ total: count }),
});

/** The result of `autocannon --json`. */
export const autocannonJsonReader: LoadReader = {
  tool: 'autocannon',
  read(text) {
    const result = parseJsonAs(text, resultSchema, 'autocannon’s result');
    const answers = result['2xx'] + result.non2xx;
    const unanswered = (result.requests.sent ?? answers) - answers - result.errors;
    // At the end of the test, each connection may have a request in flight.
    const lost = unanswered > result.connections ? unanswered - result.connections : 0;
    const requests = answers + result.errors + lost;
    const statuses = Object.entries(result.statusCodeStats).filter(([code]) => !/^[23]/.test(code));
    const failedStatus = statuses.reduce((sum, [, one]) => sum + one.count, 0);
    return [
      {
        tool: 'autocannon',
        target: result.url ?? null,
        concurrency: result.connections,
        seconds: result.duration,
        requests,
        qps: result.duration > 0 ? answers / result.duration : null,
        success: successOf(requests, failedStatus + result.errors + lost),
        errors: occurred([
          { kind: 'timeout', detail: 'timeout', count: result.timeouts },
          { kind: 'connect', detail: 'connection', count: result.errors - result.timeouts },
          { kind: 'read', detail: 'no answer', count: lost },
          ...statuses.map(([code, one]) => ({ kind: 'status' as const, detail: code, count: one.count })),
        ]),
        bytes: result.throughput.total,
        latency: answers > 0 ? latencyOf(result) : NO_LATENCY,
        notes: [
          'autocannon measures latencies in whole milliseconds.',
          ...(lost > 0
            ? [
                `${countText(lost, 'request has', 'requests have')} neither an answer nor an error and ${lost === 1 ? 'counts' : 'count'} as failed: autocannon reconnects silently when the server closes a connection.`,
              ]
            : []),
        ],
      },
    ];
  },
};

const latencyOf = ({ latency }: z.infer<typeof resultSchema>): Latency => ({
  mean: milliseconds(latency.average),
  deviation: milliseconds(latency.stddev),
  min: milliseconds(latency.min),
  max: milliseconds(latency.max),
  percentiles: Object.entries(PERCENTS).flatMap(([name, percent]) => {
    const value = latency[name];
    return typeof value === 'number' ? [{ percent, seconds: value / 1000 }] : [];
  }),
  buckets: [],
});

/** Tables are for people: figures are rounded, and errors are not all in them. */
export const autocannonReader: LoadReader = {
  tool: 'autocannon',
  read(text) {
    const [report] = splitAt(text, /^Running \S+ test @ /);
    throw malformed('autocannon’s tables are rounded; write its result with autocannon --json', report?.line ?? 1);
  },
};
