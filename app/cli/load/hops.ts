import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import {
  HOP_CAVEAT,
  HOP_METRICS,
  MAX_HOPS,
  hopComponents,
  hopRows,
  hopTable,
  type AddedByHop,
  type HopRow,
} from '#core/load/hops.ts';
import { createLoadText, type LoadTable } from '#core/load/load-text.ts';
import type { ComponentUse } from '#core/load/components.ts';
import { usageError } from '../errors.ts';
import { alignColumns } from '../output/align-columns.ts';
import { jsonText } from '../output/json-text.ts';
import { findLoad, sweepOnly } from './inputs.ts';
import type { LoadOptions } from './load-options.ts';
import { writePrinted } from './write-output.ts';
import { asLines } from '../output/terminal.ts';

/** Prints what each hop adds to the latency of the one behind it, and the CPU of its components. */
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

const COMPONENT_COLUMNS: readonly { readonly header: string; readonly read: (of: ComponentUse) => number | null }[] = [
  { header: 'CPU (0 to 1 per CPU)', read: ({ cores }) => cores },
  { header: 'CPU per request (s)', read: ({ perRequest }) => perRequest },
  { header: 'QPS per core', read: ({ perCore }) => perCore },
];

const COMPONENT_LATENCIES: typeof COMPONENT_COLUMNS = [
  { header: 'p90 of components (s)', read: ({ p90 }) => p90 },
  { header: 'p99 of components (s)', read: ({ p99 }) => p99 },
];

/** Returns one line per hop and step; latencies in seconds. */
function asCsv(rows: readonly HopRow[]): string {
  const ofComponents = (of: typeof COMPONENT_COLUMNS): ExportColumn<HopRow>[] =>
    of.map(({ header, read }) => ({
      header,
      cell: ({ components }) =>
        components.map((one) => `${one.name} (${one.pid}): ${read(one) ?? 'unknown'}`).join('; '),
    }));
  const columns: ExportColumn<HopRow>[] = [
    { header: 'concurrency', cell: ({ concurrency }) => concurrency ?? '' },
    { header: 'hop', cell: ({ hop }) => hop },
    { header: 'QPS', cell: ({ qps }) => qps ?? '' },
    ...ofComponents(COMPONENT_COLUMNS),
    ...HOP_METRICS.flatMap((id): ExportColumn<HopRow>[] => {
      const addedOf = ({ added }: HopRow): AddedByHop | undefined => added?.find(({ metric }) => metric === id);
      return [
        { header: `${id} (s)`, cell: ({ latency }) => latency[id] ?? '' },
        { header: `added to ${id} (s)`, cell: (row) => addedOf(row)?.delta ?? '' },
        { header: `added to ${id}, 95 % from (s)`, cell: (row) => addedOf(row)?.interval?.[0] ?? '' },
        { header: `added to ${id}, 95 % to (s)`, cell: (row) => addedOf(row)?.interval?.[1] ?? '' },
      ];
    }),
    ...ofComponents(COMPONENT_LATENCIES),
  ];
  return csvText([], columns, rows);
}

const tableLines = ({ names, header, rows }: LoadTable): string[] => alignColumns(header, rows, names);

function asText(hopsOfSteps: readonly HopRow[]): string {
  const text = createLoadText('en');
  const components = hopComponents(hopsOfSteps, text);
  return asLines([
    ...tableLines(hopTable(hopsOfSteps, text)),
    HOP_CAVEAT,
    ...(components === null ? [] : ['', ...tableLines(components)]),
  ]);
}
