import { occurred, successOf, type LoadResult } from '../../contract/load/result.ts';
import { malformed, milliseconds, numberOf, splitAt, type LoadReader } from './reader.ts';

/** The report of ApacheBench. */
export const abReader: LoadReader = {
  tool: 'ab',
  read(text) {
    const reports = splitAt(text, /^This is ApacheBench, /);
    return (reports.length === 0 ? [{ text, line: 1 }] : reports).map((report) => readReport(report.text, report.line));
  },
};

function readReport(text: string, line: number): LoadResult {
  const field = (label: string): number | null => numberOf(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(text)?.[1]);
  const complete = field('Complete requests');
  const seconds = field('Time taken for tests');
  const concurrency = field('Concurrency Level');
  if (complete === null || seconds === null || concurrency === null) {
    const [why] = /\bapr_\w+: .*$/m.exec(text) ?? [];
    throw malformed(
      `ab’s report ends before its totals: the test did not end${why === undefined ? '' : `: ${why.slice(0, 200)}`}`,
      line,
    );
  }
  const [connect = 0, receive = 0, length = 0, exceptions = 0] = (
    /\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)/.exec(text)?.slice(1) ?? []
  ).map(Number);
  const status = field('Non-2xx responses') ?? 0;
  const word = (label: string): string | null => new RegExp(`^${label}:\\s+(\\S.*)$`, 'm').exec(text)?.[1] ?? null;
  const [host, port, path] = [word('Server Hostname'), word('Server Port'), word('Document Path')];
  const total = /^Total:\s+(\d+)\s+(\d+)\s+([\d.]+)\s+(\d+)\s+(\d+)$/m.exec(text);
  return {
    tool: 'ab',
    target: host === null ? null : `http://${host}:${port ?? ''}${path ?? ''}`,
    concurrency,
    seconds,
    requests: complete,
    qps: field('Requests per second'),
    success: successOf(complete, connect + receive + exceptions + status),
    errors: occurred([
      { kind: 'connect', detail: 'connect', count: connect },
      { kind: 'read', detail: 'receive', count: receive },
      { kind: 'length', detail: 'length', count: length },
      { kind: 'other', detail: 'exceptions', count: exceptions },
      { kind: 'status', detail: 'not 2xx', count: status },
    ]),
    bytes: field('Total transferred'),
    latency: {
      mean: milliseconds(field('Time per request')),
      deviation: milliseconds(numberOf(total?.[3])),
      min: milliseconds(numberOf(total?.[1])),
      max: milliseconds(numberOf(total?.[5])),
      percentiles: [...text.matchAll(/^[ \t]+(\d{1,2})%\s+(\d+)$/gm)].map(([, percent, value]) => ({
        percent: Number(percent),
        seconds: Number(value) / 1000,
      })),
      buckets: [],
    },
    notes:
      length > 0
        ? [
            `ab counts ${length} answers as failed because their length differs from the first one’s; they count as successes here.`,
          ]
        : [],
  };
}
