import { visibleText } from '../../analyze/function-label.ts';
import { maybeReason, judgementText, runCounts } from '../../compare/verdict-words.ts';
import { reachOf } from '../../compare/describe-change.ts';
import type { LoadRun } from '../../contract/load-test.ts';
import type { ReportLoad } from '../../contract/report-load.ts';
import { compareSweeps, type ComparedMetric, type ComparedStep } from '../../load/compare-sweeps.ts';
import { componentText, errorsText, sweepNotes } from '../../load/describe-load.ts';
import { probeNotes, probeTable, type ProbeSide } from '../../load/describe-probe.ts';
import { probeCharts } from '../../load/probe-charts.ts';
import { createLoadText, stepTitle } from '../../load/load-text.ts';
import { SIDE_COLOURS, sweepCharts, type ChartSide } from '../../load/sweep-charts.ts';
import { kneeOf, LOAD_METRICS, meanOf, sweepOfTest, type LoadStep, type LoadSweep } from '../../load/sweep.ts';
import { vitalsCharts, vitalsText } from '../../load/vitals-charts.ts';
import { componentsOf, vitalsSeries } from '../../load/vitals.ts';
import { createFormatter } from '../../units/format.ts';
import { markup, type Markup, type MarkupChild } from '../markup.ts';
import { REPORT_LOCALE, type PreparedReport } from '../prepare.ts';
import { tableMarkup } from '../table-markup.ts';

export const loadWords = createLoadText(REPORT_LOCALE);
const text = loadWords;
const format = createFormatter(REPORT_LOCALE);

export interface SideLoad {
  readonly role: ChartSide['role'];
  readonly sweep: LoadSweep;
  readonly runs: readonly LoadRun[];
}

/** Returns the series of probes. */
export const probeSidesOf = (loads: readonly ReportLoad[]): ProbeSide[] =>
  loads.flatMap(({ side, name, probe }) => (probe === undefined ? [] : [{ role: side, name, probe }]));

/** Returns the sweeps of each side. */
export const loadSidesOf = (loads: readonly ReportLoad[]): SideLoad[] =>
  (['only', 'before', 'after'] as const).flatMap((role) => sideOf(role, loads));

/** Returns the charts of all sides, one over the other, then those of the servers. */
export function loadCharts(loads: readonly ReportLoad[]): { readonly title: string; readonly svg: Markup }[] {
  const sides = loadSidesOf(loads);
  return [
    ...sweepCharts(sides, { locale: REPORT_LOCALE, text, scale: 'log' }),
    ...vitalsCharts(sides, REPORT_LOCALE),
    ...probeCharts(probeSidesOf(loads), REPORT_LOCALE),
  ];
}

/** Returns the load tests: charts as pictures, and their data as tables. */
export function loadSection({ report: { loads = [] } }: PreparedReport): MarkupChild[] {
  const sides = loadSidesOf(loads);
  const probes = probeSidesOf(loads);
  if (sides.length === 0 && probes.length === 0) {
    return [markup('p', { class: 'hint' }, 'The captures of this report were not recorded during a load test.')];
  }
  const [before, after] = sides;
  const charts = loadCharts(loads);
  const notes = [
    ...new Set([
      ...sides.flatMap(({ sweep }) => sweepNotes(sweep)),
      ...(probes.length === 0 ? [] : probeNotes(probes)),
    ]),
  ];
  return [
    ...(after === undefined || before === undefined ? [] : [legend(before.sweep, after.sweep)]),
    ...charts.map(({ title, svg }) =>
      markup('figure', { class: 'load-figure' }, svg, markup('figcaption', {}, visibleText(title))),
    ),
    ...(before === undefined || after === undefined ? [] : [changesTable(before.sweep, after.sweep)]),
    ...sides.map((side) => stepsTable(side)),
    ...sides.flatMap(componentsList),
    ...sides.flatMap(vitalsTable),
    ...(probes.length === 0 ? [] : [phasesTable(probes)]),
    markup('ul', { class: 'hint' }, ...notes.map((note) => markup('li', {}, visibleText(note)))),
  ];
}

/** Several tests of one side are one sweep. */
function sideOf(role: ChartSide['role'], loads: readonly ReportLoad[]): SideLoad[] {
  const own = loads.filter(({ side, probe }) => side === role && probe === undefined);
  if (own.length === 0) return [];
  const runs = own.flatMap((load) => load.runs).map((run): LoadRun => ({ ...run, file: null }));
  const knee = own[0]?.knee;
  const name = own.map((load) => load.name).join(', ');
  return [{ role, runs, sweep: sweepOfTest({ name, runs, ...(knee === undefined ? {} : { knee }) }) }];
}

const legend = (before: LoadSweep, after: LoadSweep): Markup =>
  markup(
    'p',
    {},
    dot('before'),
    ` before: ${visibleText(before.name)} `,
    dot('after'),
    ` after: ${visibleText(after.name)}`,
  );

/** Returns a point in a side's colour. */
const dot = (role: 'before' | 'after'): Markup =>
  markup(
    'svg',
    { viewBox: '0 0 10 10', width: 10, height: 10, 'aria-hidden': 'true' },
    markup('circle', { cx: 5, cy: 5, r: 4, fill: SIDE_COLOURS[role] }),
  );

const ofSide = (role: ChartSide['role']): string => (role === 'only' ? '' : ` ${role}`);

function stepsTable({ role, sweep }: SideLoad): Markup {
  const metrics = LOAD_METRICS.filter((metric) => sweep.steps.some((step) => meanOf(step, metric) !== null));
  const knee = kneeOf(sweep);
  return tableMarkup<LoadStep>(
    `Steps${ofSide(role)}: means over the runs`,
    [
      { header: 'Connections', cell: (step) => `${stepTitle(step, REPORT_LOCALE)}${step === knee ? ' (knee)' : ''}` },
      { header: 'Runs', isNumber: true, cell: ({ runs }) => String(runs.length) },
      ...metrics.map((metric) => ({
        header: metric.label,
        isNumber: true,
        cell: (step: LoadStep) => text.value(metric, meanOf(step, metric)),
      })),
      { header: 'Errors', cell: (step) => visibleText(errorsText(step)) },
    ],
    sweep.steps,
  );
}

function phasesTable(probes: readonly ProbeSide[]): Markup {
  const { header, rows } = probeTable(probes, format);
  return tableMarkup<readonly string[]>(
    'Phases of a request',
    header.map((title, column) => ({ header: title, isNumber: column > 1, cell: (row) => row[column]! })),
    rows,
  );
}

function changesTable(before: LoadSweep, after: LoadSweep): Markup {
  interface Row {
    readonly step: ComparedStep;
    readonly one: ComparedMetric;
  }
  const rows = compareSweeps(before, after).steps.flatMap((step) => step.metrics.map((one): Row => ({ step, one })));
  return tableMarkup<Row>(
    'Changes by step',
    [
      { header: 'Step', cell: ({ step }) => stepTitle(step, REPORT_LOCALE) },
      { header: 'Metric', cell: ({ one }) => one.metric.label },
      { header: 'Before', isNumber: true, cell: ({ one }) => text.value(one.metric, one.judgement.before) },
      { header: 'After', isNumber: true, cell: ({ one }) => text.value(one.metric, one.judgement.after) },
      { header: 'Δ', isNumber: true, cell: ({ one }) => text.delta(one.metric, one.judgement.delta) },
      {
        header: '±',
        isNumber: true,
        cell: ({ one: { metric, judgement } }) =>
          judgement.interval === null ? '–' : text.delta(metric, reachOf(judgement.interval)).replace('+', ''),
      },
      {
        header: 'Δ %',
        isNumber: true,
        cell: ({ one: { judgement } }) => (judgement.relative === null ? '–' : text.relative(judgement.relative)),
      },
      {
        header: 'Verdict',
        cell: ({ step, one }) => judgementText(one.judgement, maybeReason(step.design, runCounts(step.design))),
      },
    ],
    rows,
  );
}

function componentsList({ role, sweep }: SideLoad): MarkupChild[] {
  const lines = sweep.steps.flatMap((step) =>
    componentsOf(step.runs).map((one) => `${stepTitle(step, REPORT_LOCALE)}: ${componentText(one, text)}`),
  );
  if (lines.length === 0) return [];
  return [
    markup('h3', {}, `Components of the server${ofSide(role)}`),
    markup('ul', {}, ...lines.map((line) => markup('li', {}, visibleText(line)))),
  ];
}

/** Rows of the vitals' table, which would be long otherwise: each run's means and maxima. */
interface VitalsRow {
  readonly connections: string;
  readonly process: string;
  readonly values: ReadonlyMap<string, readonly number[]>;
}

function vitalsTable({ role, runs }: SideLoad): MarkupChild[] {
  const rows = runs.flatMap(({ result, vitals = [] }) =>
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
      `The server${ofSide(role)} during each run: mean and maximum of its readings`,
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
