import { csvText, type ExportColumn } from '../export/csv-text.ts';
import { errorsText, stepChanges, stepsTable } from '../load/describe-load.ts';
import { connectionTitle, PROBE_CONNECTIONS, probeTable, type ProbeSide } from '../load/describe-probe.ts';
import { stepTitle, type LoadTable } from '../load/load-text.ts';
import { PHASE_LABELS, phasesIn } from '../load/probe.ts';
import { seriesTable } from '../load/compare-series.ts';
import { wrapText } from '../export/svg/wrap-text.ts';
import { createFormatter } from '../units/format.ts';
import { LOAD_METRICS, meanOf, type LoadStep } from '../load/sweep.ts';
import { SIDE_COLOURS } from '../load/charts/chart.ts';
import { hopColour } from '../load/charts/sweeps.ts';
import { noteTitle } from '../notes/note-title.ts';
import { visibleText } from '../analyze/function-label.ts';
import { numberedNotes } from './placed-notes.ts';
import { htmlText, markup, type Markup } from '../export/markup.ts';
import { REPORT_LOCALE, type PreparedReport } from './prepare.ts';
import { hopTable } from '../load/hops.ts';
import {
  loadCharts,
  loadWords,
  ofSide,
  overTimeTables,
  serverTables,
  sweepsOf,
  type SideLoad,
} from './sections/load-section.ts';

const format = createFormatter(REPORT_LOCALE);

/** Load tests in a report's other files: steps as rows, charts as one picture. */

/** Returns the metrics that a side's steps have. */
const knownMetrics = (steps: readonly LoadStep[]) =>
  LOAD_METRICS.filter((metric) => steps.some((step) => meanOf(step, metric) !== null));

export interface NamedTable extends LoadTable {
  readonly name: string;
}

/** Returns a table of each side's steps, as texts. */
export function loadTables({ report }: PreparedReport): NamedTable[] {
  const loads = sweepsOf(report.loads);
  const { sides, hops, probes, comparison } = loads;
  const named = probes.map(({ role, name }) => (role === 'only' ? name : `${role}: ${name}`));
  const all: SideLoad[] = [...sides, ...hops];
  return [
    ...(hops.length === 0 ? [] : [{ name: 'what each hop adds', ...hopTable(loads.rows, loadWords) }]),
    ...(comparison === null ? [] : [{ name: 'changes by step', ...stepChanges(comparison, loadWords) }]),
    ...all.map(({ role, sweep }) => ({
      name: role === 'only' || role === 'hop' ? sweep.name : `${role}: ${sweep.name}`,
      ...stepsTable(sweep, loadWords, stepTitle),
    })),
    ...serverTables(loads).map(({ title, table }) => ({ name: title, ...table })),
    ...all.flatMap(seriesOfSide),
    ...overTimeTables(loads).map(({ title, table }) => ({ name: title, ...table })),
    ...(probes.length === 0 ? [] : [{ name: named.join(', '), ...probeTable(probes, format) }]),
  ];
}

/** Returns the table of a side's series, unless both sides are in one table. */
function seriesOfSide(side: SideLoad): NamedTable[] {
  const table = side.role === 'before' || side.role === 'after' ? null : seriesTable(side.sweep, loadWords);
  return table === null ? [] : [{ name: `series${ofSide(side)}`, ...table }];
}

/** Returns the means of each step, or each request of probes, in full precision, in the metrics' own units. */
export function loadCsv({ report }: PreparedReport, notes: readonly string[]): string {
  const { sides, hops, probes } = sweepsOf(report.loads);
  if (probes.length > 0) return probesCsv(probes, notes);
  const rows = [...sides, ...hops].flatMap(({ role, sweep }) => sweep.steps.map((step) => ({ role, sweep, step })));
  type Row = (typeof rows)[number];
  const columns: ExportColumn<Row>[] = [
    { header: 'Load test', cell: ({ sweep }) => sweep.name },
    { header: 'Side', cell: ({ role }) => (role === 'only' ? '' : role) },
    { header: 'Connections', cell: ({ step }) => step.concurrency ?? '' },
    { header: 'Runs', cell: ({ step }) => step.runs.length },
    ...knownMetrics(rows.map(({ step }) => step)).map((metric) => ({
      header: metric.label,
      cell: ({ step }: Row) => meanOf(step, metric) ?? '',
    })),
    { header: 'Errors', cell: ({ step }) => errorsText(step) },
  ];
  return csvText(notes, columns, rows);
}

function probesCsv(probes: readonly ProbeSide[], notes: readonly string[]): string {
  const rows = probes.flatMap(({ role, name, probe: { samples } }) =>
    samples.flatMap(({ status, ...requests }, place) =>
      PROBE_CONNECTIONS.flatMap((connection) => {
        const phases = requests[connection];
        return phases === null ? [] : [{ role, name, place, status, connection, phases }];
      }),
    ),
  );
  type Row = (typeof rows)[number];
  const columns: ExportColumn<Row>[] = [
    { header: 'Load test', cell: ({ name }) => name },
    { header: 'Side', cell: ({ role }) => (role === 'only' ? '' : role) },
    { header: 'Probe', cell: ({ place }) => place + 1 },
    { header: 'Request', cell: ({ connection }) => connectionTitle(connection, false) },
    { header: 'Status', cell: ({ status }) => status },
    ...phasesIn(rows.map(({ phases }) => phases)).map((phase) => ({
      header: `${PHASE_LABELS[phase]} (s)`,
      cell: ({ phases }: Row) => phases[phase] ?? '',
    })),
  ];
  return csvText(notes, columns, rows);
}

const CHART = { width: 690, height: 345, head: 28 } as const;
const LINE = 20;
/** Characters of a line of text. */
const ROOM = 86;

/** Returns the charts below one another as one SVG, with the notes' list; null: the report has no load test. */
export function loadSvg({ report }: PreparedReport): string | null {
  const loads = sweepsOf(report.loads);
  const charts = loadCharts(loads);
  if (charts.length === 0) return null;
  const row = CHART.height + CHART.head;
  const text = (y: number, content: string, fill = '#111'): Markup =>
    markup('text', { x: 8, y, 'font-size': 14, fill }, visibleText(content));
  const sides = [...loads.sides.map(({ role, sweep: { name } }) => ({ role, name })), ...loads.probes];
  const titles = wrapText(visibleText(report.title), ROOM);
  const lines = [
    ...sides.flatMap(({ role, name }) =>
      role === 'only' ? [] : [{ words: `${role}: ${name}`, fill: SIDE_COLOURS[role] }],
    ),
    ...loads.hops.map(({ sweep: { name } }, place) => ({
      words: name,
      fill: hopColour(place),
    })),
    ...numberedNotes(report.notes).map(({ number, note }) => ({
      words: `${number}  ${noteTitle(note.text)}`,
      fill: undefined,
    })),
  ].flatMap(({ words, fill }) => wrapText(visibleText(words), ROOM).map((line) => ({ words: line, fill })));
  const head = CHART.head + Math.max(0, titles.length - 1) * LINE;
  const end = head + charts.length * row;
  const height = end + lines.length * LINE + LINE;
  const { width } = CHART;
  const picture = markup(
    'svg',
    {
      width,
      height,
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      'font-family': 'sans-serif',
    },
    markup('rect', { width, height, fill: '#fff' }),
    ...titles.map((line, place) => text(20 + place * LINE, line)),
    ...charts.flatMap(({ title, svg }, place) => {
      const top = head + place * row;
      const attributes = {
        ...svg.attributes,
        x: '0',
        y: `${top + CHART.head}`,
        width: `${width}`,
        height: `${CHART.height}`,
      };
      return [text(top + 20, title), { ...svg, attributes }];
    }),
    ...lines.map(({ words, fill }, place) => text(end + (place + 1) * LINE, words, fill)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${htmlText(picture, true)}\n`;
}
