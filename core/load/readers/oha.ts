import * as z from 'zod';
import { occurred, failuresOf, successOf, type LoadError } from '../../contract/load/result.ts';
import { withPopulations } from '../answers/populations.ts';
import { parseJsonAs } from './json.ts';
import { malformed, tidy, type LoadReader } from './reader.ts';

const amount = z.number().nullish();
const reportSchema = z.object({
  summary: z.object({
    total: z.number(),
    slowest: amount,
    fastest: amount,
    average: amount,
    totalData: amount,
  }),
  responseTimeHistogram: z.record(z.string(), z.number()).default({}),
  latencyPercentiles: z.record(z.string(), z.number().nullable()).default({}),
  statusCodeDistribution: z.record(z.string(), z.number()),
  errorDistribution: z.record(z.string(), z.number()),
});

/** What oha reports for requests that its deadline cut off: they are neither successes nor failures of the server. */
const CUT_OFF = 'aborted due to deadline';

/** The result of `oha --output-format json`. */
export const ohaJsonReader: LoadReader = {
  tool: 'oha',
  read(text) {
    const report = parseJsonAs(text, reportSchema, 'oha’s result');
    const { summary } = report;
    const statuses = Object.entries(report.statusCodeDistribution);
    const answers = statuses.reduce((sum, [, count]) => sum + count, 0);
    const failedStatus = statuses.filter(([code]) => !/^[23]/.test(code));
    const failures = Object.entries(report.errorDistribution).filter(([detail]) => detail !== CUT_OFF);
    const errors: LoadError[] = occurred([
      ...failedStatus.map(([code, count]): LoadError => ({ kind: 'status', detail: code, count })),
      ...failures.map(([detail, count]): LoadError => ({
        kind: /timeout/i.test(detail) ? 'timeout' : /connect|refused/i.test(detail) ? 'connect' : 'other',
        detail: detail.slice(0, 200),
        count,
      })),
    ]);
    const requests = answers + failures.reduce((sum, [, count]) => sum + count, 0);
    const hasLatencies = answers > 0;
    const known = (value: number | null | undefined): number | null => (hasLatencies ? (value ?? null) : null);
    return [
      {
        tool: 'oha',
        target: null,
        concurrency: null,
        seconds: summary.total,
        requests,
        qps: summary.total > 0 ? tidy(answers / summary.total) : null,
        success: successOf(requests, failuresOf(errors)),
        errors,
        bytes: summary.totalData ?? null,
        latency: withPopulations({
          mean: known(summary.average),
          deviation: null,
          min: known(summary.fastest),
          max: known(summary.slowest),
          percentiles: hasLatencies
            ? Object.entries(report.latencyPercentiles)
                .flatMap(([name, seconds]) => (seconds === null ? [] : [{ percent: Number(name.slice(1)), seconds }]))
                .sort((a, b) => a.percent - b.percent)
            : [],
          // Without an answer, its only bucket is NaN.
          buckets: Object.entries(report.responseTimeHistogram)
            .map(([upTo, count]) => ({ upTo: Number(upTo), count }))
            .filter(({ upTo }) => Number.isFinite(upTo))
            .sort((a, b) => a.upTo - b.upTo),
        }),
        notes:
          failedStatus.length > 0
            ? ['oha’s successRate counts every answer as a success, whatever its status; here 4xx and 5xx are errors.']
            : [],
      },
    ];
  },
};

export const ohaReader: LoadReader = {
  tool: 'oha',
  read() {
    throw malformed('oha’s text is rounded; write its result with oha --output-format json', 1);
  },
};
