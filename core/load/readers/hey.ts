import {
  occurred,
  failuresOf,
  successOf,
  type LatencyBucket,
  type LoadError,
  type LoadResult,
} from '../../contract/load/result.ts';
import { createAnswers } from '../answers/over-time.ts';
import { withPopulations } from '../answers/populations.ts';
import { goFailure } from './go-failure.ts';
import { malformed, numberOf, splitAt, tidy, type LoadReader } from './reader.ts';

/**
 * The summary that hey prints; oha's begins alike, but with its success rate. hey writes percentiles as `10%%`, and sends
 * only 48 requests for `-n 50 -c 8`, an equal number per client, so requests are counted by status code and error.
 */
export const heyReader: LoadReader = {
  tool: 'hey',
  read: (text) => splitAt(text, /^Summary:$/).map((report) => readSummary(report.text, report.line)),
};

function readSummary(text: string, line: number): LoadResult {
  const secondsOf = (label: string): number | null =>
    numberOf(new RegExp(`^[ \\t]+${label}:\\s+(\\S+) secs$`, 'm').exec(text)?.[1]);
  const seconds = secondsOf('Total');
  const statuses = /^Status code distribution:$/m.test(text);
  if (seconds === null || !statuses)
    throw malformed('hey’s summary ends before its status codes; run it to its end', line);
  const byStatus = [...text.matchAll(/^[ \t]+\[(\d{3})\]\t(\d+) responses$/gm)].map(([, code, count]) => ({
    code: code!,
    count: Number(count),
  }));
  const [, failures = ''] = text.split(/^Error distribution:$/m);
  const errors = [
    ...byStatus.filter(({ code }) => !isSuccess(code)).map(statusError),
    ...[...failures.matchAll(/^[ \t]+\[(\d+)\]\t(.*)$/gm)].map(([, count, detail]) =>
      goFailure(detail!, Number(count)),
    ),
  ];
  const answers = byStatus.reduce((sum, { count }) => sum + count, 0);
  const requests = answers + errors.reduce((sum, { kind, count }) => sum + (kind === 'status' ? 0 : count), 0);
  const hasLatencies = answers > 0;
  const percentiles = [...text.matchAll(/^[ \t]+(\d{1,2})%{1,2} in ([\d.]+) secs$/gm)].flatMap(([, percent, value]) =>
    percent === '0' ? [] : [{ percent: Number(percent), seconds: Number(value) }],
  );
  const bytes = numberOf(/^[ \t]+Total data:\s+(\d+) bytes$/m.exec(text)?.[1]);
  return {
    tool: 'hey',
    target: null,
    concurrency: null,
    seconds,
    requests,
    qps: seconds > 0 ? tidy(answers / seconds) : null,
    success: successOf(requests, failuresOf(errors)),
    errors,
    bytes,
    latency: withPopulations({
      mean: hasLatencies ? secondsOf('Average') : null,
      deviation: null,
      min: hasLatencies ? secondsOf('Fastest') : null,
      max: hasLatencies ? secondsOf('Slowest') : null,
      percentiles,
      buckets: hasLatencies ? histogramOf(text) : [],
    }),
    notes:
      answers < requests ? ['hey counts failed requests in its Requests/sec; QPS here are answers per second.'] : [],
  };
}

const isSuccess = (code: string): boolean => code.startsWith('2') || code.startsWith('3');

const statusError = ({ code, count }: { code: string; count: number }): LoadError => ({
  kind: 'status',
  detail: code,
  count,
});

function histogramOf(text: string): LatencyBucket[] {
  const [, part = ''] = text.split(/^Response time histogram:$/m);
  const [rows = ''] = part.split(/^Latency distribution:$/m);
  return [...rows.matchAll(/^[ \t]+([\d.]+) \[(\d+)\]\t/gm)].map(([, upTo, count]) => ({
    upTo: Number(upTo),
    count: Number(count),
  }));
}

const CSV_HEADER = 'response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset';

/** Each answer of `hey -o csv`. Requests without an answer are not in it. */
export const heyCsvReader: LoadReader = {
  tool: 'hey',
  read(text) {
    const [header, ...lines] = text.split('\n');
    if (header!.trim() !== CSV_HEADER) throw malformed('not the columns of hey -o csv', 1);
    const answers = createAnswers();
    const byStatus = new Map<string, number>();
    let end = 0;
    let damaged = 0;
    for (const line of lines) {
      if (line === '') continue;
      const cells = line.split(',');
      const [time, offset] = [numberOf(cells[0]), numberOf(cells[7])];
      if (cells.length !== 8 || time === null || offset === null || !/^\d{3}$/.test(cells[6]!)) {
        damaged += 1;
        continue;
      }
      answers.add(offset + time, time);
      end = Math.max(end, offset + time);
      byStatus.set(cells[6]!, (byStatus.get(cells[6]!) ?? 0) + 1);
    }
    const errors = occurred(
      [...byStatus].filter(([code]) => !isSuccess(code)).map(([code, count]) => statusError({ code, count })),
    );
    const requests = answers.count();
    const seconds = requests === 0 ? null : tidy(end);
    return [
      {
        tool: 'hey',
        target: null,
        concurrency: null,
        seconds,
        requests,
        qps: seconds === null || seconds === 0 ? null : tidy(requests / seconds),
        success: successOf(requests, failuresOf(errors)),
        errors,
        bytes: null,
        ...answers.describe('hey', seconds),
        notes: [
          'hey’s CSV has answers only: requests without one are missing from the count and the success rate.',
          ...(damaged > 0
            ? [
                damaged === 1
                  ? '1 line is not complete and was skipped.'
                  : `${damaged} lines are not complete and were skipped.`,
              ]
            : []),
        ],
      },
    ];
  },
};
