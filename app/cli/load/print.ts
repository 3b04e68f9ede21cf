import type { LoadTest } from '#core/contract/load/load-test.ts';
import { csvText, type ExportColumn } from '#core/export/csv-text.ts';
import { errorsText, stepsTable, sweepNotes } from '#core/load/describe-load.ts';
import { datText } from '#core/load/readers/gnuplot-dat.ts';
import { kneeNotes, shownKnee } from '#core/load/knee.ts';
import { createLoadText, stepTitle, type LoadTable } from '#core/load/load-text.ts';
import type { LoadResult } from '#core/contract/load/result.ts';
import { loadTool } from '#core/load/load-tools.ts';
import { DEFAULT_KNEE, LOAD_METRICS, meanOf, toolsOf, type LoadSweep } from '#core/load/sweep.ts';
import { overTimeTable } from '#core/load/describe-answers.ts';
import { readSeries, seriesTable } from '#core/load/compare-series.ts';
import { componentTable, componentUses } from '#core/load/components.ts';
import { alignColumns } from '../output/align-columns.ts';
import { jsonText } from '../output/json-text.ts';
import type { LoadOptions } from './load-options.ts';
import { writePrinted } from './write-output.ts';
import { asLines } from '../output/terminal.ts';

const text = createLoadText('en');

interface SweepContext {
  readonly test?: LoadTest;
}

/** Returns one line per load test: ID, state, runs and name. */
export function listLoadTests(tests: readonly LoadTest[]): string {
  if (tests.length === 0) {
    return 'No load tests. Run one with `flamebench load run URL`, or read results with `flamebench load read FILE… --keep`.\n';
  }
  return asLines(
    tests.map(({ id, state, runs, probe, name }) => {
      const found = probe === undefined ? runs.length : probe.samples.length;
      const count = `${found} ${probe === undefined ? 'run' : 'probe'}${found === 1 ? '' : 's'}`;
      return `${id}  ${state.padEnd(11)}  ${count.padEnd(9)}  ${name}`;
    }),
  );
}

/** Returns a load test as a row of CSV; a sweep has no probes, and probes are not runs. */
export const loadTestRow = ({ id, state, runs, probe, createdAt, name }: LoadTest) => ({
  id,
  state,
  runs: probe === undefined ? runs.length : null,
  probes: probe === undefined ? null : probe.samples.length,
  created: new Date(createdAt).toISOString(),
  name,
});

export const writeSweep = (options: LoadOptions, sweep: LoadSweep, context: SweepContext): void =>
  writePrinted(options, {
    what: 'sweeps',
    text: () => describeSweep(sweep, context),
    json: () => sweepAsJson(sweep, context),
    csv: () => sweepAsCsv(sweep),
    dat: () => datText(sweep.steps.flatMap(({ runs }) => runs)),
  });

/** Describes a sweep: a table of steps, the knee, errors, and caveats on the numbers. */
function describeSweep(sweep: LoadSweep, { test }: SweepContext): string {
  const table = stepsTable(sweep, text);
  // Errors have lines of their own.
  const [header, ...rows] = [table.header, ...table.rows].map((cells) => cells.slice(0, -1));
  const tools = toolsOf(sweep).map((tool) => loadTool(tool).label);
  const targets = [...new Set(sweep.steps.flatMap(({ runs }) => runs.flatMap(({ target }) => target ?? [])))];
  const failures = sweep.steps
    .map((step) => ({ step, errors: errorsText(step) }))
    .filter(({ errors }) => errors !== '');
  const tables = [componentTable(sweep, text), seriesTable(sweep, text), overTimeOf(sweep, test)].flatMap((one) =>
    one === null ? [] : ['', ...alignColumns(one.header, one.rows, one.names)],
  );
  return asLines([
    sweep.name,
    ...(test === undefined ? [] : [`${test.id} · ${test.state}${test.message === null ? '' : ` · ${test.message}`}`]),
    ...(tools.length === 0 ? ['no runs'] : [[tools.join(', '), ...targets.slice(0, 3)].join(' · ')]),
    '',
    ...(rows.length === 0 ? [] : alignColumns(header!, rows)),
    ...kneeNotes(sweep, text),
    ...tables,
    ...(tables.length === 0 ? [] : ['']),
    ...(test === undefined ? [] : captureLines(test)),
    ...failures.map(({ step, errors }) => `errors at ${stepTitle(step)}: ${errors}`),
    ...sweepNotes(sweep).map((note) => `note: ${note}`),
  ]);
}

/** Returns latencies over time within each run. */
const overTimeOf = (sweep: LoadSweep, test: LoadTest | undefined): LoadTable | null =>
  overTimeTable(test?.runs ?? sweep.steps.flatMap((step) => step.runs.map((result) => ({ result }))), text);

/** Returns a line per step with captures. */
function captureLines({ runs }: LoadTest): string[] {
  return [...Map.groupBy(runs, ({ result }) => result.concurrency)].flatMap(([concurrency, own]) => {
    const ids = own.flatMap(({ captures = [] }) => captures.map(({ id }) => id));
    return ids.length === 0 ? [] : [`captures at ${stepTitle({ concurrency })}: ${ids.join(', ')}`];
  });
}

function sweepAsJson(sweep: LoadSweep, { test }: SweepContext): string {
  const knee = shownKnee(sweep, text);
  return jsonText({
    ...(test === undefined
      ? {}
      : {
          id: test.id,
          state: test.state,
          message: test.message,
          host: test.host,
          plan: test.plan,
          commands: test.commands ?? null,
        }),
    name: sweep.name,
    knee: knee.step?.concurrency ?? null,
    kneeSentence: knee.sentence,
    kneeBound: sweep.bound ?? DEFAULT_KNEE,
    steps: sweep.steps.map((step) => ({
      concurrency: step.concurrency,
      mean: Object.fromEntries(LOAD_METRICS.map((metric) => [metric.id, meanOf(step, metric)])),
      runs: step.runs,
      components: componentUses(step.runs),
      series: readSeries(step, sweep),
    })),
    ...(test === undefined ? {} : { observed: observedOf(test) }),
    notes: sweepNotes(sweep),
  });
}

/** Returns what was observed of the server, one row per observed run. */
const observedOf = ({ runs }: LoadTest) =>
  runs.flatMap(({ result: { concurrency }, startedAt, vitals, captures, isExtra = false }) =>
    vitals === undefined && captures === undefined
      ? []
      : [{ concurrency, startedAt, isExtra, captures: captures ?? [], vitals: vitals ?? [] }],
  );

const COLUMNS: readonly ExportColumn<LoadResult>[] = [
  { header: 'tool', cell: ({ tool }) => tool },
  { header: 'target', cell: ({ target }) => target ?? '' },
  { header: 'concurrency', cell: ({ concurrency }) => concurrency ?? '' },
  { header: 'duration (s)', cell: ({ seconds }) => seconds ?? '' },
  { header: 'requests', cell: ({ requests }) => requests ?? '' },
  ...LOAD_METRICS.map((metric) => ({
    header:
      metric.unit === 'seconds'
        ? `${metric.label} (s)`
        : metric.unit === 'ratio'
          ? `${metric.label} (0 to 1)`
          : metric.label,
    cell: (result: LoadResult) => metric.read(result) ?? '',
  })),
  { header: 'received (bytes)', cell: ({ bytes }) => bytes ?? '' },
  {
    header: 'errors',
    cell: ({ errors }) => errors.map(({ kind, detail, count }) => `${kind} (${detail}): ${count}`).join('; '),
  },
];

/** Returns one line per run. */
const sweepAsCsv = (sweep: LoadSweep): string =>
  csvText(
    sweepNotes(sweep),
    COLUMNS,
    sweep.steps.flatMap(({ runs }) => runs),
  );
