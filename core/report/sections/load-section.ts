import { visibleText } from '../../analyze/function-label.ts';
import type { LoadRun } from '../../contract/load/load-test.ts';
import type { ReportLoad } from '../../contract/report/load.ts';
import { compareSweeps, type LoadComparison } from '../../load/compare-sweeps.ts';
import {
  COMPONENTS_TEXT,
  compareComponents,
  componentChanges,
  componentTable,
  oneSidedComponents,
} from '../../load/components.ts';
import { comparisonDocument } from '../../load/comparison-json.ts';
import { compareSeries, SERIES_TEXT, seriesChanges } from '../../load/compare-series.ts';
import { concludeLoad } from '../../load/conclude.ts';
import { overTimeTable } from '../../load/describe-answers.ts';
import { sidesNotes, stepChanges, stepsTable } from '../../load/describe-load.ts';
import { probeNotes, probeTable, type ProbeSide } from '../../load/describe-probe.ts';
import { probeCharts } from '../../load/charts/probes.ts';
import { createLoadText, stepTitle, type LoadTable } from '../../load/load-text.ts';
import { HOP_CAVEAT, HOP_COMPONENTS_TITLE, hopComponents, hopRows, hopTable, type HopRow } from '../../load/hops.ts';
import { SIDE_COLOURS } from '../../load/charts/chart.ts';
import { hopCharts, hopColour, sweepCharts, type ChartOptions, type ChartSide } from '../../load/charts/sweeps.ts';
import type { LoadSweep } from '../../load/sweep.ts';
import { sweepOfTest } from '../../load/sweep-of-test.ts';
import { vitalsCharts, vitalsText } from '../../load/charts/vitals.ts';
import { vitalsSeries } from '../../load/vitals.ts';
import { createFormatter } from '../../units/format.ts';
import { markup, type Markup, type MarkupChild } from '../../export/markup.ts';
import { REPORT_LOCALE, type PreparedReport } from '../prepare.ts';
import { tableMarkup } from '../table-markup.ts';
import { bullets, hint } from '../text-markup.ts';

export const loadWords = createLoadText(REPORT_LOCALE);
const text = loadWords;
const format = createFormatter(REPORT_LOCALE);

export interface SideLoad {
  readonly role: ChartSide['role'] | 'hop';
  readonly sweep: LoadSweep;
  readonly runs: readonly LoadRun[];
}

/** The load tests of a report. */
export interface ReportSweeps {
  readonly sides: readonly (SideLoad & ChartSide)[];
  /** The innermost first. */
  readonly hops: readonly SideLoad[];
  /** What each hop adds. */
  readonly rows: readonly HopRow[];
  readonly probes: readonly ProbeSide[];
  /** Null unless there are two sweeps. */
  readonly comparison: LoadComparison | null;
}

export function sweepsOf(loads: readonly ReportLoad[] = []): ReportSweeps {
  const sides = (['only', 'before', 'after'] as const).flatMap((role) =>
    sideOf(
      role,
      loads.filter(({ side }) => side === role),
    ),
  );
  const [before, after] = sides;
  const hops = loads.flatMap((load) => (load.side === 'hop' ? sideOf('hop', [load]) : []));
  return {
    sides,
    hops,
    rows: hopRows(hops.map(({ sweep }) => sweep)),
    probes: loads.flatMap(({ side, name, probe }) =>
      probe === undefined || side === 'hop' ? [] : [{ role: side, name, probe }],
    ),
    comparison: before === undefined || after === undefined ? null : compareSweeps(before.sweep, after.sweep),
  };
}

/** Returns the charts of all sides, one over the other, then those of the servers. */
export function loadCharts({ sides, hops, probes }: ReportSweeps): { readonly title: string; readonly svg: Markup }[] {
  const options: ChartOptions = { locale: REPORT_LOCALE, text, scale: 'log' };
  return [
    ...sweepCharts(sides, options),
    ...hopCharts(
      hops.map(({ sweep }) => sweep),
      options,
    ),
    ...vitalsCharts(sides, REPORT_LOCALE),
    ...probeCharts(probes, REPORT_LOCALE),
  ];
}

/** Returns the load tests: charts as pictures, and their data as tables. */
export function loadSection({ report }: PreparedReport): MarkupChild[] {
  const loads = sweepsOf(report.loads);
  const { sides, hops, rows, probes, comparison } = loads;
  const shown: SideLoad[] = [...sides, ...hops];
  if (shown.length === 0 && probes.length === 0) {
    return [hint('The captures of this report were not recorded during a load test.')];
  }
  const [before, after] = sides;
  const tables = serverTables(loads);
  const conclusion = loadConclusion(loads);
  const [headline, ...sentences] = conclusion;
  const notes = [
    ...unsaidNotes(loads, conclusion),
    ...tables.flatMap(({ caption }) => (caption === '' ? [] : [caption])),
    ...(hops.length === 0 ? [] : [HOP_CAVEAT]),
    ...(probes.length === 0 ? [] : probeNotes(probes)),
  ];
  return [
    ...(headline === undefined ? [] : [markup('p', { class: 'lead' }, visibleText(headline))]),
    ...sentences.map((line) => markup('p', {}, visibleText(line))),
    ...(after === undefined || before === undefined ? [] : [legend([sideEntry(before), sideEntry(after)])]),
    ...(hops.length === 0 ? [] : [legend(hops.map(hopEntry))]),
    ...loadCharts(loads).map(({ title, svg }) =>
      markup('figure', { class: 'load-figure' }, svg, markup('figcaption', {}, visibleText(title))),
    ),
    ...(comparison === null ? [] : [textTable('Changes by step', stepChanges(comparison, text))]),
    ...(hops.length === 0
      ? []
      : [textTable('What each hop adds to the latency of the hop behind it', hopTable(rows, text))]),
    ...shown.map((side) =>
      textTable(`Steps${ofSide(side)}: means over the runs`, stepsTable(side.sweep, text, stepTitle)),
    ),
    ...tables.map(({ title, table }) => textTable(title, table)),
    ...overTimeTables(loads).map(({ title, table }) => textTable(title, table)),
    ...shown.flatMap(vitalsTable),
    ...(probes.length === 0 ? [] : [textTable('Phases of a request', probeTable(probes, format))]),
    bullets(notes, { class: 'hint' }),
  ];
}

/** Returns what the sides show under load, a sentence each; empty unless there are two sweeps. */
export const loadConclusion = ({ comparison }: ReportSweeps): string[] =>
  comparison === null ? [] : concludeLoad(comparison, text);

/** Returns the sides' comparison for programs; null unless there are two sweeps. */
export const loadChanges = ({ comparison }: ReportSweeps) => comparison && comparisonDocument(comparison, text);

/** Returns the tables of components, and of series before and after, with what is tested of them. */
export function serverTables({ sides, rows, comparison }: ReportSweeps): ServerTable[] {
  const changes = (title: string, table: LoadTable | null, caption: string): ServerTable[] =>
    table === null ? [] : [{ title, table, caption }];
  return [
    ...(comparison === null
      ? []
      : [
          ...changes(
            'Components of the server, before and after',
            componentChanges(compareComponents(comparison), text, oneSidedComponents(comparison)),
            COMPONENTS_TEXT,
          ),
          ...changes('Series, before and after', seriesChanges(compareSeries(comparison), text), SERIES_TEXT),
        ]),
    ...sides.flatMap((side) =>
      changes(`Components of the server${ofSide(side)}: means over the runs`, componentTable(side.sweep, text), ''),
    ),
    ...changes(`${HOP_COMPONENTS_TITLE}: means over the runs`, hopComponents(rows, text), ''),
  ];
}

interface ServerTable {
  readonly title: string;
  readonly table: LoadTable;
  /** Empty: nothing is tested. */
  readonly caption: string;
}

/** Returns what a reader of the sweeps must know: what their runs show, and what limits the numbers. */
export const loadNotes = ({ sides, hops, comparison }: ReportSweeps): string[] =>
  sidesNotes([...sides, ...hops], comparison, text);

/** Returns the notes without what the conclusion says. */
export const unsaidNotes = (loads: ReportSweeps, conclusion: readonly string[]): string[] =>
  loadNotes(loads).filter((note) => !conclusion.includes(note));

/** Returns latencies over time within each run, by side; empty if no run has times. */
export const overTimeTables = ({
  sides,
  hops,
}: ReportSweeps): { readonly title: string; readonly table: LoadTable }[] =>
  [...sides, ...hops].flatMap((side) => {
    const table = overTimeTable(side.runs, text);
    return table === null ? [] : [{ title: `Latency over time${ofSide(side)}`, table }];
  });

/** Several tests of one side are one sweep. */
function sideOf<Role extends SideLoad['role']>(
  role: Role,
  loads: readonly ReportLoad[],
): (SideLoad & { readonly role: Role })[] {
  const own = loads.filter(({ probe }) => probe === undefined);
  if (own.length === 0) return [];
  const runs = own.flatMap((load) => load.runs).map((run): LoadRun => ({ ...run, file: null }));
  const knee = own[0]?.knee;
  const name = own.map((load) => load.name).join(', ');
  return [{ role, runs, sweep: sweepOfTest({ name, runs, ...(knee === undefined ? {} : { knee }) }) }];
}

interface LegendEntry {
  readonly name: string;
  readonly colour: string;
}

const sideEntry = ({ role, sweep: { name } }: ChartSide): LegendEntry => ({
  name: `${role}: ${name}`,
  colour: SIDE_COLOURS[role],
});

const hopEntry = ({ sweep: { name } }: SideLoad, place: number): LegendEntry => ({
  name,
  colour: hopColour(place),
});

const legend = (entries: readonly LegendEntry[]): Markup =>
  markup('p', {}, ...entries.flatMap(({ name, colour }) => [dot(colour), ` ${visibleText(name)} `]));

/** Returns a point in a side's colour. */
const dot = (colour: string): Markup =>
  markup(
    'svg',
    { viewBox: '0 0 10 10', width: 10, height: 10, 'aria-hidden': 'true' },
    markup('circle', { cx: 5, cy: 5, r: 4, fill: colour }),
  );

/** Returns the words that name a side in a title. */
export const ofSide = ({ role, sweep: { name } }: SideLoad): string =>
  role === 'only' ? '' : role === 'hop' ? ` of ${visibleText(name)}` : ` ${role}`;

const textTable = (title: string, { names, header, rows }: LoadTable): Markup =>
  tableMarkup<readonly string[]>(
    title,
    header.map((name, column) => ({
      header: name,
      isNumber: column >= names,
      cell: (row) => visibleText(row[column]!),
    })),
    rows,
  );

/** Rows of the vitals' table, which would be long otherwise: each run's means and maxima. */
interface VitalsRow {
  readonly connections: string;
  readonly process: string;
  readonly values: ReadonlyMap<string, readonly number[]>;
}

function vitalsTable(side: SideLoad): MarkupChild[] {
  const rows = side.runs.flatMap(({ result, vitals = [] }) =>
    vitals.map(({ name, pid, series }): VitalsRow => {
      const known = series.map(({ id, values }) => [id, values.filter((value) => value !== null)] as const);
      return {
        connections: stepTitle(result, REPORT_LOCALE),
        process: pid === null ? name : `${name} (${pid})`,
        values: new Map(known.filter(([, values]) => values.length > 0)),
      };
    }),
  );
  const ids = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))];
  if (ids.length === 0) return [];
  return [
    tableMarkup<VitalsRow>(
      `The server${ofSide(side)} during each run: mean and maximum of its readings`,
      [
        { header: 'Run at', cell: ({ connections }) => connections },
        { header: 'Process', cell: ({ process }) => visibleText(process) },
        ...ids.map((id) => ({
          header: visibleText(vitalsSeries(id).label),
          isNumber: true,
          cell: ({ values }: VitalsRow) => spanText(id, values.get(id)),
        })),
      ],
      rows,
    ),
  ];
}

function spanText(id: string, values: readonly number[] | undefined): string {
  if (values === undefined) return '–';
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const shown = vitalsText(id, REPORT_LOCALE);
  return `${shown(mean)}; ${shown(Math.max(...values))}`;
}
