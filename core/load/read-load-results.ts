import { ImportFailure } from '../model/failure.ts';
import { redactText } from '../redact/secret-shapes.ts';
import { judgeLoadResult } from './judge-load-result.ts';
import type { LoadResult } from '../contract/load/result.ts';
import { loadTool } from './load-tools.ts';
import { abReader } from './readers/ab.ts';
import { autocannonJsonReader, autocannonReader } from './readers/autocannon.ts';
import { datReader } from './readers/gnuplot-dat.ts';
import { hdrLogReader, hdrTextReader } from './readers/hdr-histogram.ts';
import { heyCsvReader, heyReader } from './readers/hey.ts';
import { k6JsonReader, k6Reader } from './readers/k6.ts';
import { k6LinesReader } from './readers/k6-lines.ts';
import { locustHistoryReader, locustJsonReader, locustStatsReader } from './readers/locust.ts';
import { ohaJsonReader, ohaReader } from './readers/oha.ts';
import type { LoadReader } from './readers/reader.ts';
import { loadForm, withPlainLines, type LoadForm } from './recognise.ts';
import { vegetaLinesReader } from './readers/vegeta-lines.ts';
import { vegetaJsonReader, vegetaReader } from './readers/vegeta.ts';
import { wrkReader } from './readers/wrk.ts';

const READERS: Readonly<Record<LoadForm, LoadReader>> = {
  'autocannon-text': autocannonReader,
  wrk: wrkReader,
  'oha-text': ohaReader,
  'oha-json': ohaJsonReader,
  hey: heyReader,
  'hey-csv': heyCsvReader,
  ab: abReader,
  vegeta: vegetaReader,
  'vegeta-lines': vegetaLinesReader,
  'vegeta-json': vegetaJsonReader,
  'autocannon-json': autocannonJsonReader,
  'k6-lines': k6LinesReader,
  'k6-json': k6JsonReader,
  k6: k6Reader,
  'locust-json': locustJsonReader,
  'locust-stats': locustStatsReader,
  'locust-history': locustHistoryReader,
  'hdr-log': hdrLogReader,
  'hdr-text': hdrTextReader,
  dat: datReader,
};

/** hey's CSV of a million answers has 60 MB. */
export const MAX_LOAD_RESULT_BYTES = 128 << 20;

/**
 * Reads all results that a text contains, in its order. Throws an `ImportFailure`: `unrecognized`, or `malformed` with
 * the line.
 */
export function readLoadResults(text: string): LoadResult[] {
  const form = loadForm(text);
  if (form === null) {
    throw new ImportFailure('unrecognized', 'not the result of a load-testing tool that Flamebench reads', { byte: 0 });
  }
  const results = READERS[form].read(withPlainLines(text));
  return results.map((result) => withoutSecrets(checkClosedLoop(withFailure(judgeLoadResult(result)))));
}

/** Says first if nothing was measured. */
function withFailure(result: LoadResult): LoadResult {
  const { requests, success, notes } = result;
  const note = requests === 0 ? 'No request ended within the test.' : success === 0 ? 'Every request failed.' : null;
  return note === null ? result : { ...result, notes: [note, ...notes] };
}

/** URLs may contain passwords and tokens. */
const withoutSecrets = ({ target, errors, ...result }: LoadResult): LoadResult => ({
  ...result,
  target: target === null ? null : redactText(target),
  errors: errors.map((error) => ({ ...error, detail: redactText(error.detail) })),
});

/** Returns the tools whose results are read, by name. */
export const readableTools = (): string[] => [
  ...new Set(Object.values(READERS).map(({ tool }) => loadTool(tool).label)),
];

/** Deviation of QPS × mean latency from the concurrency that is worth a note. */
const TOLERANCE = 0.2;

/**
 * In a closed loop, QPS × mean latency = concurrency (Little's law). Adds a note to a result whose numbers contradict
 * it. ab's mean is computed from its QPS, so it always agrees.
 */
function checkClosedLoop(result: LoadResult): LoadResult {
  const { tool, concurrency, qps, latency, notes } = result;
  const mean = latency.mean;
  if (loadTool(tool).loop !== 'closed' || concurrency === null || qps === null || qps === 0 || mean === null) {
    return result;
  }
  const ratio = (qps * mean) / concurrency;
  if (Math.abs(ratio - 1) <= TOLERANCE) return result;
  const where = ratio > 1 ? 'above' : 'below';
  const note = `The mean latency is more than 20 % ${where} concurrency ÷ QPS: ${reasonOf(result, ratio)}`;
  return { ...result, notes: [...notes, note] };
}

function reasonOf({ tool, success }: LoadResult, ratio: number): string {
  if (ratio > 1) {
    return tool === 'wrk' || tool === 'dat'
      ? 'wrk adds assumed samples for slow answers.'
      : 'requests waited in the tool, or the mean includes more than the answers.';
  }
  return success !== null && success < 1
    ? 'failed requests occupied the connections too.'
    : 'the tool had idle connections or no CPU left, so the load was lower than asked for.';
}
