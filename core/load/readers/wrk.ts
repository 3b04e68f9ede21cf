import {
  NO_LATENCY,
  occurred,
  successOf,
  type Latency,
  type LoadError,
  type LoadResult,
} from '../../contract/load/result.ts';
import { WRK_REFUSED } from '../recognise.ts';
import { malformed, numberOf, parseDuration, splitAt, tidy, type LoadReader } from './reader.ts';

const START = /^Running \S+ test @ /;

/** The report of wrk 4 and wrk2. */
export const wrkReader: LoadReader = {
  tool: 'wrk',
  read(text) {
    const reports = splitAt(text, START);
    if (reports.length === 0) return [refused(text)];
    return reports.map((report) => readReport(report.text, report.line));
  },
};

function refused(text: string): LoadResult {
  const [, target, why] = WRK_REFUSED.exec(text)!;
  return {
    tool: 'wrk',
    target: target!,
    concurrency: null,
    seconds: null,
    requests: 1,
    qps: 0,
    success: 0,
    errors: [{ kind: 'connect', detail: why!, count: 1 }],
    bytes: null,
    latency: NO_LATENCY,
    notes: ['wrk ended before the test, because its first connection failed.'],
  };
}

function readReport(text: string, line: number): LoadResult {
  const head = /^Running \S+ test @ ([^\n]*)\n\s+(\d+) threads and (\d+) connections/.exec(text);
  const totals = /^[ \t]*(\d+) requests in (\S+), (\S+) read[ \t]*$/m.exec(text);
  const qps = /^Requests\/sec:\s+(\S+)[ \t]*$/m.exec(text);
  const seconds = totals === null ? null : parseDuration(totals[2]!);
  if (head === null || totals === null || qps === null || seconds === null) {
    throw malformed('wrk’s report ends before its totals; run it to its end', line);
  }
  const answers = Number(totals[1]);
  const [connect, read, write, timeout] = socketErrors(text);
  const status = Number(/^[ \t]*Non-2xx or 3xx responses: (\d+)[ \t]*$/m.exec(text)?.[1] ?? 0);
  const errors: LoadError[] = occurred([
    { kind: 'connect', detail: 'connect', count: connect },
    { kind: 'read', detail: 'read', count: read },
    { kind: 'write', detail: 'write', count: write },
    { kind: 'timeout', detail: 'answer after the timeout', count: timeout },
    { kind: 'status', detail: 'not 2xx or 3xx', count: status },
  ]);
  const requests = answers + connect + read + write;
  const failed = connect + read + write + timeout + status;
  return {
    tool: 'wrk',
    target: head[1]!.trim(),
    concurrency: Number(head[3]),
    seconds,
    requests,
    qps: numberOf(qps[1]),
    success: successOf(requests, failed),
    errors,
    bytes: sizeOf(totals[3]!),
    latency: latencyOf(text, answers > timeout),
    notes: [...undividedNotes(Number(head[2]), Number(head[3])), ...notesOf(requests, failed, timeout)],
  };
}

/** wrk gives each thread the same number of connections, and opens no others. */
function undividedNotes(threads: number, connections: number): string[] {
  const opened = connections - (connections % threads);
  if (opened === connections || threads === 0) return [];
  return [
    `wrk opened ${opened} of ${connections} connections, because its ${threads} threads have the same number each; use a number of threads (-t) that divides them.`,
  ];
}

function notesOf(requests: number, failed: number, timeout: number): string[] {
  if (requests === 0) return ['wrk prints latencies of 0 and exits with 0.'];
  return [
    ...(failed >= requests ? ['wrk exits with 0 although every request failed.'] : []),
    ...(timeout > 0 ? ['wrk leaves answers after its timeout out of the latencies; set a longer one with -T.'] : []),
  ];
}

function socketErrors(text: string): [number, number, number, number] {
  const found = /^[ \t]*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)[ \t]*$/m.exec(text);
  return found === null ? [0, 0, 0, 0] : (found.slice(1, 5).map(Number) as [number, number, number, number]);
}

function latencyOf(text: string, hasLatencies: boolean): Latency {
  // Without a latency, wrk prints 0.00us and -nan%.
  const row = /^[ \t]+Latency\s+(\S+)\s+(\S+)\s+(\S+)\s/m.exec(text);
  if (row === null || !hasLatencies) return NO_LATENCY;
  // wrk aligns units of one letter: `2.44s `.
  const percentiles = [...text.matchAll(/^[ \t]+(\d{1,3}(?:\.\d+)?)%\s+(\d\S*)[ \t]*$/gm)].flatMap(
    ([, percent, value]) => {
      const seconds = parseDuration(value!);
      return seconds === null || Number(percent) >= 100 ? [] : [{ percent: Number(percent), seconds }];
    },
  );
  return {
    mean: parseDuration(row[1]!),
    deviation: parseDuration(row[2]!),
    min: null,
    max: parseDuration(row[3]!),
    percentiles,
    buckets: [],
  };
}

const BYTES: Readonly<Record<string, number>> = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

function sizeOf(text: string): number | null {
  const [, amount, unit] = /^([\d.]+)(B|KB|MB|GB|TB)$/.exec(text) ?? [];
  return unit === undefined ? null : Math.round(tidy(Number(amount) * BYTES[unit]!));
}
