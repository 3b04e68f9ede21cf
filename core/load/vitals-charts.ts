import type { LoadRun, ServerVitals } from '../contract/load-test.ts';
import { markup, type Markup } from '../export/markup.ts';
import { weightScale, type AxisScale } from '../units/axis-scale.ts';
import { createFormatter } from '../units/format.ts';
import { fixed, gridOf } from './chart-grid.ts';
import { SIDE_COLOURS } from './sweep-charts.ts';
import { vitalsSeries } from './vitals.ts';

/** One load test of the charts; two are drawn over each other, each from its own start. */
export interface VitalsSide {
  readonly role: 'only' | 'before' | 'after';
  readonly runs: readonly LoadRun[];
}

export interface VitalsChart {
  readonly id: string;
  readonly title: string;
  /** A picture without scripts and inline styles, for the window and for files. */
  readonly svg: Markup;
}

/** A line of a chart, at times in seconds after the test's start. */
interface Line {
  readonly role: VitalsSide['role'];
  /** `nginx (812)` */
  readonly name: string;
  readonly at: readonly number[];
  /** Null: not known; the line has a gap. */
  readonly values: readonly (number | null)[];
}

/** A run as a span of the time axis. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly concurrency: number | null;
  readonly qps: number | null;
}

const WIDTH = 940;
const HEIGHT = 120;
const BOX = { left: 78, right: 12, top: 10, bottom: 24 } as const;
const GRID = { left: BOX.left, right: WIDTH - BOX.right, maxLines: 6 } as const;
const [INNER_WIDTH, INNER_HEIGHT] = [WIDTH - BOX.left - BOX.right, HEIGHT - BOX.top - BOX.bottom];
/** Dashes of the components of one side, in their order. */
const DASHES = ['none', '6 3', '2 2', '8 3 2 3', '1 3', '10 4', '4 2 1 2', '12 2'];

/**
 * Draws what the server's processes did during the runs, one chart below the other on one time axis: QPS of each run,
 * then CPU, memory, threads, context switches, open files and sockets. Empty if no process was watched.
 */
export function vitalsCharts(sides: readonly VitalsSide[], locale: string): VitalsChart[] {
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
    .filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)))
    .map(({ id, title, unit, lines }) => ({ id, title, svg: chartOf(title, unit, lines, spans, end, locale) }));
}

const idsOf = ({ vitals = [] }: LoadRun): string[] => vitals.flatMap(({ series }) => series.map(({ id }) => id));

/** Returns the start of a test: that of its first run. */
const startOf = (runs: readonly LoadRun[]): number => Math.min(...runs.map(({ startedAt }) => startedAt ?? Infinity));

function spansOf(runs: readonly LoadRun[]): Span[] {
  const start = startOf(runs);
  return runs.flatMap(({ startedAt, result: { seconds, concurrency, qps } }) => {
    if (startedAt === null) return [];
    const from = (startedAt - start) / 1000;
    return { from, to: from + (seconds ?? 0), concurrency, qps };
  });
}

const qpsLines = (role: VitalsSide['role'], spans: readonly Span[]): Line[] =>
  spans.map(({ from, to, qps }) => ({ role, name: 'QPS', at: [from, to], values: [qps, qps] }));

function linesOf({ role, runs }: VitalsSide, id: string): Line[] {
  const start = startOf(runs);
  return runs.flatMap(({ startedAt, vitals = [] }) =>
    vitals.map((one): Line => {
      const from = ((startedAt ?? start) - start) / 1000;
      return { role, name: nameOf(one), at: one.at.map((at) => from + at), values: valuesOf(one, id) };
    }),
  );
}

const nameOf = ({ name, pid }: Pick<ServerVitals, 'name' | 'pid'>): string =>
  pid === null ? name : `${name} (${pid})`;

const valuesOf = ({ series }: ServerVitals, id: string): readonly (number | null)[] =>
  series.find((one) => one.id === id)?.values ?? [];

function chartOf(
  title: string,
  unit: string,
  lines: readonly Line[],
  spans: readonly Span[],
  end: number,
  locale: string,
): Markup {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const most = Math.max(...known) || 1;
  const axis = axisOf(unit, locale)(most, most / 3);
  const x = (seconds: number): number => BOX.left + (INNER_WIDTH * seconds) / end;
  const y = (value: number): number => BOX.top + INNER_HEIGHT * (1 - value / (most * 1.05));
  const names = [...new Set(lines.map(({ role, name }) => `${role} ${name}`))];
  const text = valueText(unit, locale);
  return markup(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'load-chart vitals-chart',
      'font-size': 11,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${title} over time: ${names.map((name) => summaryOf(name, lines, text)).join('; ')}`,
    },
    ...spans.map(({ from, to }) =>
      markup('rect', {
        x: fixed(x(from)),
        y: BOX.top,
        width: fixed(x(to) - x(from)),
        height: INNER_HEIGHT,
        fill: '#8882',
        class: 'run-span',
      }),
    ),
    ...gridOf(axis, most, y, GRID),
    ...labelsOf(spans, x, locale),
    ...lines.map((line) => lineOf(line, dashOf(line, names), { x, y }, text)),
  );
}

/** Returns the axis of a unit; ratios are shown as numbers of CPUs. */
const axisOf = (unit: string, locale: string): ((most: number, least: number) => AxisScale) =>
  weightScale(locale, unit === 'ratio' ? 'CPUs' : unit, 0);

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
function dashOf({ role, name }: Line, names: readonly string[]): string {
  const own = names.filter((one) => one.startsWith(`${role} `));
  return DASHES[own.indexOf(`${role} ${name}`) % DASHES.length]!;
}

function summaryOf(name: string, lines: readonly Line[], text: (value: number) => string): string {
  const values = lines
    .filter((line) => `${line.role} ${line.name}` === name)
    .flatMap((line) => line.values.filter((value) => value !== null));
  const shown = name.replace(/^only /, '');
  if (values.length === 0) return `${shown} not known`;
  return `${shown} ${text(Math.min(...values))} to ${text(Math.max(...values))}`;
}

function lineOf(
  { role, name, at, values }: Line,
  dash: string,
  { x, y }: { readonly x: (seconds: number) => number; readonly y: (value: number) => number },
  text: (value: number) => string,
): Markup {
  let isGap = true;
  const path = values
    .map((value, place) => {
      if (value === null) {
        isGap = true;
        return '';
      }
      const step = `${isGap ? 'M' : 'L'}${fixed(x(at[place]!))},${fixed(y(value))}`;
      isGap = false;
      return step;
    })
    .join('');
  const points = values.flatMap((value, place) =>
    value === null
      ? []
      : [
          markup(
            'circle',
            { cx: fixed(x(at[place]!)), cy: fixed(y(value)), r: 1.6, fill: SIDE_COLOURS[role] },
            markup(
              'title',
              {},
              `${role === 'only' ? '' : `${role}: `}${name}: ${text(value)} after ${text1(at[place]!)} s`,
            ),
          ),
        ],
  );
  const stroke = { stroke: SIDE_COLOURS[role], ...(dash === 'none' ? {} : { 'stroke-dasharray': dash }) };
  return markup('g', { class: `load-${role}` }, markup('path', { d: path, fill: 'none', ...stroke }), ...points);
}

const text1 = (seconds: number): string => seconds.toFixed(1);

/** Pixels that a label of a run takes. */
const LABEL_ROOM = 46;

/** Labels runs with their concurrency, if there is room. */
function labelsOf(spans: readonly Span[], x: (seconds: number) => number, locale: string): Markup[] {
  let free = -Infinity;
  return spans.flatMap(({ from, to, concurrency }) => {
    const at = x((from + to) / 2);
    if (concurrency === null || at < free) return [];
    free = at + LABEL_ROOM;
    return [
      markup(
        'text',
        { x: fixed(at), y: HEIGHT - 8, 'text-anchor': 'middle', fill: 'currentColor' },
        concurrency.toLocaleString(locale),
      ),
    ];
  });
}
