import * as z from 'zod';
import { createAnswers, type Answers } from '../answers/over-time.ts';
import { occurred, successOf, type LoadError, type LoadResult } from '../../contract/load/result.ts';
import { jsonValue } from '../../model/json-value.ts';
import { malformed, tidy, type LoadReader } from './reader.ts';

const pointSchema = z.object({
  metric: z.string(),
  type: z.string(),
  data: z.object({
    time: z.string().optional(),
    value: z.number().optional(),
    tags: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** Sums over the points. */
interface Sums {
  /** Latencies by milliseconds since 1970. */
  readonly answered: Answers;
  requests: number;
  answers: number;
  failed: number;
  bytes: number;
  users: number;
  first: number;
  last: number;
  url: string | null;
  hasFailures: boolean;
  /** Requests without an answer or with an error status, by status and k6's words. */
  readonly errors: Map<string, LoadError>;
}

/** The lines of `k6 run --out json=FILE`: one JSON object per measured value. */
export const k6LinesReader: LoadReader = {
  tool: 'k6',
  read(text) {
    const sums: Sums = {
      answered: createAnswers(),
      requests: 0,
      answers: 0,
      failed: 0,
      bytes: 0,
      users: 0,
      first: Infinity,
      last: -Infinity,
      url: null,
      hasFailures: false,
      errors: new Map(),
    };
    let isCut = false;
    let line = 0;
    let from = 0;
    while (from < text.length) {
      line += 1;
      const end = text.indexOf('\n', from);
      const content = text.slice(from, end < 0 ? undefined : end).trim();
      from = end < 0 ? text.length : end + 1;
      if (content === '') continue;
      const point = parsePoint(content);
      // Only the last line of a test that was killed is cut.
      if (point === null && end < 0) isCut = true;
      else if (point === null) throw malformed('a line is not one of k6’s JSON output', line);
      else addPoint(sums, point);
    }
    if (sums.requests === 0) throw malformed('k6’s output has no HTTP request (http_reqs)', line);
    return [resultOf(sums, isCut)];
  },
};

type Point = z.infer<typeof pointSchema>;

const parsePoint = (line: string): Point | null => pointSchema.safeParse(jsonValue(line)).data ?? null;

function addPoint(sums: Sums, { metric, type, data: { time, value = 0, tags } }: Point): void {
  if (type !== 'Point') return;
  const at = time === undefined ? Number.NaN : Date.parse(time);
  if (!Number.isNaN(at)) {
    // A request's values have the time of its end.
    sums.first = Math.min(sums.first, metric === 'http_req_duration' ? at - value : at);
    sums.last = Math.max(sums.last, at);
  }
  const tag = (name: string): string => (typeof tags?.[name] === 'string' ? tags[name].slice(0, 400) : '');
  switch (metric) {
    case 'http_reqs':
      sums.requests += value;
      if (tag('status') !== '0') sums.answers += value;
      sums.url ??= tag('url') || null;
      addError(sums, tag('status'), tag('error'), value);
      break;
    case 'http_req_failed':
      sums.hasFailures = true;
      sums.failed += value;
      break;
    case 'http_req_duration':
      // A request without an answer has no latency.
      if (tag('status') !== '0') sums.answered.add(at / 1000, value / 1000);
      break;
    case 'vus':
    case 'vus_max':
      sums.users = Math.max(sums.users, value);
      break;
    case 'data_received':
      sums.bytes += value;
      break;
  }
}

function addError(sums: Sums, status: string, error: string, count: number): void {
  const isStatus = /^[45]\d\d$/.test(status);
  if (status !== '0' && !isStatus) return;
  const key = isStatus ? status : `0 ${error}`;
  // A hostile file could have as many kinds as requests.
  if (!sums.errors.has(key) && sums.errors.size >= 100) return;
  const found = sums.errors.get(key);
  const kind = isStatus
    ? 'status'
    : /timeout/i.test(error)
      ? 'timeout'
      : /refused|dial/i.test(error)
        ? 'connect'
        : /EOF|reset/i.test(error)
          ? 'read'
          : 'other';
  const detail = isStatus ? status : error || 'no answer';
  sums.errors.set(key, { kind, detail, count: (found?.count ?? 0) + count });
}

function resultOf(sums: Sums, isCut: boolean): LoadResult {
  const { requests, answers, answered, errors, users, url, bytes } = sums;
  const seconds = sums.last > sums.first ? Math.round(sums.last - sums.first) / 1000 : null;
  const known = occurred([...errors.values()]);
  const failed = sums.hasFailures ? sums.failed : known.reduce((sum, { count }) => sum + count, 0);
  return {
    tool: 'k6',
    target: url,
    concurrency: users >= 1 ? Math.round(users) : null,
    seconds,
    requests,
    qps: seconds === null ? null : tidy(answers / seconds),
    success: successOf(requests, failed),
    errors: known,
    bytes,
    ...answered.describe('k6', seconds, sums.first / 1000),
    notes: isCut ? ['The output ends within a line: the test was ended before k6 had written all of it.'] : [],
  };
}
