import { escapeControls } from '#core/contract/escape-controls.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import { HOP_METRICS, hopRows, hopTable, type AddedByHop, type HopRow } from '#core/load/hops.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { loadMetric, meanOf } from '#core/load/sweep.ts';
import { openOutput } from '../convert/output-file.ts';
import { usageError } from '../errors.ts';
import { alignColumns } from '../output/align-columns.ts';
import { jsonText } from '../output/json-text.ts';
import { findSweep } from './inputs.ts';
import type { LoadOptions } from './load-options.ts';

const MAX_HOPS = 8;

/** Prints what each hop adds to the latency of the one behind it, and the QPS per core of its components. */
export async function hops(words: readonly string[], options: LoadOptions): Promise<void> {
  if (options.dat === true) throw usageError('load hops prints text, --json or --csv');
  if (words.length < 2 || words.length > MAX_HOPS)
    throw usageError(`load hops wants 2 to ${MAX_HOPS} load tests`, 'name the innermost (the app) first');
  const sweeps = [];
  for (const word of words) {
    const { sweep, test } = await findSweep(word, options.library);
    if (test?.probe !== undefined) throw usageError(`${sweep.name} has probes, not runs`, 'name sweeps');
    sweeps.push(sweep);
  }
  const rows = hopRows(sweeps);
  if (rows.every(({ added }) => added === null)) throw usageError('the load tests have no concurrency in common');
  const output = openOutput(options.output);
  const printed = options.json === true ? asJson(rows) : options.csv === true ? asCsv(rows) : asText(sweeps);
  output.write(new TextEncoder().encode(printed));
  output.commit();
}

const asJson = (rows: readonly HopRow[]): string =>
  jsonText({
    hops: rows.map(({ concurrency, hop, step, components, added }) => ({
      concurrency,
      hop,
      qps: meanOf(step, loadMetric('qps')),
      components,
      added,
    })),
  });

/** Returns one line per hop and step; latencies in seconds. */
function asCsv(rows: readonly HopRow[]): string {
  const columns: ExportColumn<HopRow>[] = [
    { header: 'concurrency', cell: ({ concurrency }) => concurrency ?? '' },
    { header: 'hop', cell: ({ hop }) => hop },
    { header: 'QPS', cell: ({ step }) => meanOf(step, loadMetric('qps')) ?? '' },
    {
      header: 'QPS per core',
      cell: ({ components }) =>
        components.map(({ name, pid, perCore }) => `${name} (${pid}): ${perCore ?? 'unknown'}`).join('; '),
    },
    ...HOP_METRICS.flatMap((id): ExportColumn<HopRow>[] => {
      const addedOf = ({ added }: HopRow): AddedByHop | undefined => added?.find(({ metric }) => metric === id);
      return [
        { header: `${id} (s)`, cell: ({ step }) => meanOf(step, loadMetric(id)) ?? '' },
        { header: `added to ${id} (s)`, cell: (row) => addedOf(row)?.delta ?? '' },
        { header: `added to ${id}, 95 % from (s)`, cell: (row) => addedOf(row)?.interval?.[0] ?? '' },
        { header: `added to ${id}, 95 % to (s)`, cell: (row) => addedOf(row)?.interval?.[1] ?? '' },
      ];
    }),
  ];
  return csvText([], columns, rows);
}

function asText(sweeps: Parameters<typeof hopTable>[0]): string {
  const { header, rows } = hopTable(sweeps, createLoadText('en'));
  return [
    ...alignColumns(header, rows),
    'added: difference to the hop above, with its 95 % interval from 3 runs a side on',
  ]
    .map((line) => `${escapeControls(line)}\n`)
    .join('');
}
