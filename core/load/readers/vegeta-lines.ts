import * as z from 'zod';
import { successOf, type LoadError } from '../../contract/load/result.ts';
import { createAnswers } from '../answers/over-time.ts';
import { goFailure } from './go-failure.ts';
import { malformed, tidy, type LoadReader } from './reader.ts';

const lineSchema = z.object({
  code: z.number().int().nonnegative(),
  timestamp: z.string(),
  latency: z.number().nonnegative(),
  bytes_in: z.number().nonnegative(),
  error: z.string(),
  url: z.string().max(4096).optional(),
});

/** The lines of `vegeta encode`: a JSON object per request. Its status is 0 without an answer. */
export const vegetaLinesReader: LoadReader = {
  tool: 'vegeta',
  read(text) {
    const answers = createAnswers();
    const errors = new Map<string, LoadError>();
    let [requests, failed, bytes, first, last, target] = [0, 0, 0, Infinity, -Infinity, null as string | null];
    for (const [place, content] of text.split('\n').entries()) {
      if (content.trim() === '') continue;
      const line = parseLine(content);
      if (line === null) throw malformed('a line is not a result of vegeta', place + 1);
      const sent = timeOf(line.timestamp);
      const seconds = line.latency / 1e9;
      requests += 1;
      bytes += line.bytes_in;
      target ??= line.url ?? null;
      [first, last] = [Math.min(first, sent), Math.max(last, sent + seconds)];
      if (line.code !== 0) answers.add(sent + seconds, seconds);
      if (line.code >= 200 && line.code < 400) continue;
      failed += 1;
      const error = line.code === 0 ? goFailure(line.error || 'no answer', 1) : statusError(line.code);
      const key = `${error.kind} ${error.detail}`;
      // A hostile file could have as many kinds as requests.
      if (errors.has(key) || errors.size < 100) errors.set(key, { ...error, count: 1 + (errors.get(key)?.count ?? 0) });
    }
    const seconds = last > first ? Math.round((last - first) * 1e6) / 1e6 : null;
    return [
      {
        tool: 'vegeta',
        target,
        concurrency: null,
        seconds,
        requests,
        qps: seconds === null ? null : tidy(answers.count() / seconds),
        success: successOf(requests, failed),
        errors: [...errors.values()],
        bytes,
        ...answers.describe('vegeta', seconds, first),
        notes: [],
      },
    ];
  },
};

/** Returns seconds since 1970, to fractions of a microsecond: `Date` drops what is below milliseconds. */
function timeOf(timestamp: string): number {
  const [fraction = ''] = /\.\d+/.exec(timestamp) ?? [];
  return Date.parse(timestamp.replace(fraction, '')) / 1000 + Number(`0${fraction}`);
}

const statusError = (code: number): LoadError => ({ kind: 'status', detail: String(code), count: 1 });

function parseLine(line: string): z.infer<typeof lineSchema> | null {
  try {
    const read = lineSchema.safeParse(JSON.parse(line));
    return read.success && !Number.isNaN(timeOf(read.data.timestamp)) ? read.data : null;
  } catch {
    return null;
  }
}
