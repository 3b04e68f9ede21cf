import type { LoadRun } from '../../contract/load/load-test.ts';
import { observedSeries } from '../describe-answers.ts';
import type { Markup } from '../../export/markup.ts';
import { weightScale } from '../../units/axis-scale.ts';
import { createFormatter } from '../../units/format.ts';
import { placeAcross, seriesChart, SIDE_COLOURS, type ChartRole, type LoadChart, type Series } from './chart.ts';
import { vitalsSeries } from '../vitals.ts';

/** One load test of the charts; two are drawn over each other, each from its own start. */
export interface VitalsSide {
  readonly role: ChartRole;
  readonly runs: readonly LoadRun[];
}

/** Readings of a process, at seconds after the test's start. */
interface Line {
  readonly role: ChartRole;
  /** `nginx (812)` */
  readonly name: string;
  readonly line: Series['line'];
}

/** A run as a span of the time axis. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly concurrency: number | null;
  readonly qps: number | null;
}

const BOX = { kind: 'vitals-chart', width: 940, height: 120, left: 78, right: 12, top: 10, bottom: 24 } as const;
/** Dashes of the components of one side, in their order. */
const DASHES = [undefined, '6 3', '2 2', '8 3 2 3', '1 3', '10 4', '4 2 1 2', '12 2'];

/**
 * Draws what the server's processes did during the runs, one chart below the other on one time axis: QPS of each run,
 * then CPU, memory, threads, context switches, open files and sockets. Empty if no process was watched.
 */
export function vitalsCharts(sides: readonly VitalsSide[], locale: string): LoadChart[] {
  const timed = sides.map((side) => ({ ...side, spans: spansOf(side.runs) }));
  const ids = [...new Set(sides.flatMap(({ runs }) => runs.flatMap(idsOf)))];
  const end = Math.max(0, ...timed.flatMap(({ spans }) => spans.map(({ to }) => to)));
  if (ids.length === 0 || end === 0) return [];
  const charts = [
    { id: 'qps', title: 'QPS of each run', unit: '', lines: timed.flatMap(({ role, spans }) => qpsLines(role, spans)) },
    ...ids.map((id) => {
      const { label: title, unit } = vitalsSeries(id);
      return { id, title, unit, lines: sides.flatMap((side) => linesOf(side, id)) };
    }),
  ];
  const spans = timed[0]!.spans;
  return charts
    .filter(({ lines }) => lines.some((one) => knownOf(one).length > 0))
    .map(({ id, title, unit, lines }) => ({ id, title, svg: chartOf(title, unit, lines, spans, end, locale) }));
}

const idsOf = (run: LoadRun): string[] => observedSeries(run).flatMap(({ series }) => series.map(({ id }) => id));

/** Returns the start of each run in seconds after that of the test; runs of files, whose start is unknown, follow one another. */
function startsOf(runs: readonly LoadRun[]): number[] {
  const known = runs.flatMap(({ startedAt }) => startedAt ?? []);
  const start = Math.min(...known);
  let end = 0;
  return runs.map(({ startedAt, result: { seconds } }) => {
    const from = startedAt === null ? end : (startedAt - start) / 1000;
    end = from + (seconds ?? 0);
    return from;
  });
}

function spansOf(runs: readonly LoadRun[]): Span[] {
  const starts = startsOf(runs);
  return runs.map(({ result: { seconds, concurrency, qps } }, place) => {
    const from = starts[place]!;
    return { from, to: from + (seconds ?? 0), concurrency, qps };
  });
}

const qpsLines = (role: ChartRole, spans: readonly Span[]): Line[] =>
  spans.map(({ from, to, qps }) => ({ role, name: 'QPS', line: [from, to].map((at) => ({ at, value: qps })) }));

function linesOf({ role, runs }: VitalsSide, id: string): Line[] {
  const starts = startsOf(runs);
  return runs.flatMap((run, index) =>
    observedSeries(run).map(({ name, pid, at, series }): Line => {
      const from = starts[index]!;
      const values = series.find((one) => one.id === id)?.values ?? [];
      return {
        role,
        name: pid === null ? name : `${name} (${pid})`,
        line: values.map((value, place) => ({ at: from + at[place]!, value })),
      };
    }),
  );
}

const knownOf = ({ line }: Line): { readonly at: number; readonly value: number }[] =>
  line.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));

function chartOf(
  title: string,
  unit: string,
  lines: readonly Line[],
  spans: readonly Span[],
  end: number,
  locale: string,
): Markup {
  const most = Math.max(...lines.flatMap((one) => knownOf(one).map(({ value }) => value))) || 1;
  const names = [...new Set(lines.map(({ role, name }) => `${role} ${name}`))];
  const text = valueText(unit, locale);
  const summary = names.flatMap((name) => summaryOf(name, lines, text) ?? []).join('; ');
  return seriesChart(BOX, {
    name: `${title.replace(/ over time$/, '')} over time: ${summary}`,
    // Ratios are shown as numbers of CPUs.
    axis: weightScale(locale, unit === 'ratio' ? 'CPUs' : unit, 0)(most, most / 3),
    most,
    top: most * 1.05,
    x: placeAcross(BOX, end),
    labels: spans.flatMap(({ from, to, concurrency }) =>
      concurrency === null ? [] : [{ at: (from + to) / 2, text: concurrency.toLocaleString(locale) }],
    ),
    spans,
    series: lines.map((one) => ({
      role: one.role,
      colour: SIDE_COLOURS[one.role],
      dashes: dashesOf(one, names),
      line: one.line,
      points: knownOf(one).map(({ at, value }) => ({
        at,
        value,
        title: `${one.role === 'only' ? '' : `${one.role}: `}${one.name}: ${text(value)} after ${at.toFixed(1)} s`,
      })),
    })),
    radius: 1.6,
  });
}

/** Returns the text of a series' values: `1.5 CPUs`, `82 MiB`. */
export function vitalsText(id: string, locale: string): (value: number) => string {
  return valueText(vitalsSeries(id).unit, locale);
}

function valueText(unit: string, locale: string): (value: number) => string {
  const formatter = createFormatter(locale);
  const count = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  if (unit === 'ratio') return (value) => `${count.format(value)} CPUs`;
  return unit === '' ? (value) => count.format(value) : (value) => formatter.value(value, unit);
}

/** Returns the dashes of a component, the same on both sides; colours distinguish the sides. */
function dashesOf({ role, name }: Line, names: readonly string[]): string | undefined {
  const own = names.filter((one) => one.startsWith(`${role} `));
  return DASHES[own.indexOf(`${role} ${name}`) % DASHES.length];
}

/** Returns the range of a component or source; null if it does not have this series. */
function summaryOf(name: string, lines: readonly Line[], text: (value: number) => string): string | null {
  const own = lines.filter((one) => `${one.role} ${one.name}` === name && one.line.length > 0);
  if (own.length === 0) return null;
  const values = own.flatMap((line) => knownOf(line).map(({ value }) => value));
  const shown = name.replace(/^only /, '');
  if (values.length === 0) return `${shown} not known`;
  return `${shown} ${text(Math.min(...values))} to ${text(Math.max(...values))}`;
}
