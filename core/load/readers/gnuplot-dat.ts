import { NO_LATENCY, type LoadResult } from '../../contract/load/result.ts';
import { datRows, isDatRow } from '../recognise.ts';
import { tidy, type LoadReader } from './reader.ts';
import { malformed } from './reader.ts';

/**
 * A table for gnuplot with a line per run: concurrency, QPS, mean latency in ms and success in percent, as wrktest.sh
 * writes it and {@link datText} does.
 */
export const datReader: LoadReader = {
  tool: 'dat',
  read: (text) => datRows(text).map(({ cells, line }) => readRow(cells, line)),
};

function readRow(cells: readonly string[], line: number): LoadResult {
  if (!isDatRow(cells)) {
    throw malformed('not concurrency, QPS, mean latency in ms and success in percent', line);
  }
  const [concurrency, qps, mean, success] = cells.map((cell) => Number(cell.replace(',', '.'))) as [
    number,
    number,
    number,
    number,
  ];
  if (!Number.isInteger(concurrency) || concurrency < 1 || qps < 0 || mean < 0) {
    throw malformed('not concurrency, QPS, mean latency in ms and success in percent', line);
  }
  const inRange = success >= 0 && success <= 100;
  return {
    tool: 'dat',
    target: null,
    concurrency,
    seconds: null,
    requests: null,
    qps,
    success: inRange ? tidy(success / 100) : null,
    errors: [],
    bytes: null,
    latency: { ...NO_LATENCY, mean: qps > 0 ? tidy(mean / 1000) : null },
    notes: inRange ? [] : [`The success rate of ${cells[3]} % is not possible and was left out.`],
  };
}

/** Writes the runs as {@link datReader} reads them; runs without one of these are left out. */
export function datText(results: readonly LoadResult[]): string {
  const lines = results.flatMap(({ concurrency, qps, latency: { mean }, success }) =>
    concurrency === null || qps === null || mean === null || success === null
      ? []
      : [`${concurrency} ${Number(qps.toFixed(2))} ${tidy(mean * 1000)} ${(success * 100).toFixed(2)}`],
  );
  return ['# concurrency QPS mean(ms) success(%)', ...lines].map((line) => `${line}\n`).join('');
}
