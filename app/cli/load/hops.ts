import { escapeControls } from '#core/contract/escape-controls.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import { HOP_CAVEAT, HOP_METRICS, MAX_HOPS, hopRows, hopTable, type AddedByHop, type HopRow } from '#core/load/hops.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { usageError } from '../errors.ts';
import { alignColumns } from '../output/align-columns.ts';
import { jsonText } from '../output/json-text.ts';
import { findLoad, sweepOnly } from './inputs.ts';
import type { LoadOptions } from './load-options.ts';
import { writePrinted } from './write-output.ts';

/** Prints what each hop adds to the latency of the one behind it, and the QPS per core of its components. */
export async function hops(words: readonly string[], options: LoadOptions): Promise<void> {
  if (words.length < 2 || words.length > MAX_HOPS)
    throw usageError(`load hops wants 2 to ${MAX_HOPS} load tests`, 'name the innermost (the app) first');
  const sweeps = [];
  for (const word of words) sweeps.push(sweepOnly(await findLoad(word, options.library)));
  const rows = hopRows(sweeps);
  if (rows.every(({ added }) => added === null)) throw usageError('the load tests have no concurrency in common');
  writeHops(options, rows);
}

export const writeHops = (options: LoadOptions, rows: readonly HopRow[]): void =>
  writePrinted(options, {
    what: 'hops',
    text: () => asText(rows),
    json: () => jsonText({ hops: rows }),
    csv: () => asCsv(rows),
  });

/** Returns one line per hop and step; latencies in seconds. */
function asCsv(rows: readonly HopRow[]): string {
  const columns: ExportColumn<HopRow>[] = [
    { header: 'concurrency', cell: ({ concurrency }) => concurrency ?? '' },
    { header: 'hop', cell: ({ hop }) => hop },
    { header: 'QPS', cell: ({ qps }) => qps ?? '' },
    {
      header: 'QPS per core',
      cell: ({ components }) =>
        components.map(({ name, pid, perCore }) => `${name} (${pid}): ${perCore ?? 'unknown'}`).join('; '),
    },
    ...HOP_METRICS.flatMap((id): ExportColumn<HopRow>[] => {
      const addedOf = ({ added }: HopRow): AddedByHop | undefined => added?.find(({ metric }) => metric === id);
      return [
        { header: `${id} (s)`, cell: ({ latency }) => latency[id] ?? '' },
        { header: `added to ${id} (s)`, cell: (row) => addedOf(row)?.delta ?? '' },
        { header: `added to ${id}, 95 % from (s)`, cell: (row) => addedOf(row)?.interval?.[0] ?? '' },
        { header: `added to ${id}, 95 % to (s)`, cell: (row) => addedOf(row)?.interval?.[1] ?? '' },
      ];
    }),
  ];
  return csvText([], columns, rows);
}

function asText(hopsOfSteps: readonly HopRow[]): string {
  const { names, header, rows } = hopTable(hopsOfSteps, createLoadText('en'));
  return [...alignColumns(header, rows, names), HOP_CAVEAT].map((line) => `${escapeControls(line)}\n`).join('');
}
