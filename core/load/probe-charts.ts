import { markup, type Markup } from '../export/markup.ts';
import { weightScale } from '../units/axis-scale.ts';
import { createFormatter, type Formatter } from '../units/format.ts';
import { fixed } from './chart-grid.ts';
import {
  connectionTitle,
  isAfterRest,
  PROBE_CONNECTIONS,
  requestsOf,
  type ProbeConnection,
  type ProbeSide,
} from './describe-probe.ts';
import { medianOf, medianText, PHASE_LABELS, phaseValues, PROBE_PHASES, type ProbePhases } from './probe.ts';
import { SIDE_COLOURS, type SweepChart } from './sweep-charts.ts';

const WIDTH = 940;
const BOX = { left: 230, right: 20, top: 26, bottom: 36 } as const;
const INNER_WIDTH = WIDTH - BOX.left - BOX.right;
const BAR = 16;
/** Vertical distance of the intervals below a bar. */
const LANE = 4;

type Part = Exclude<(typeof PROBE_PHASES)[number], 'total'>;
const PARTS = PROBE_PHASES.filter((phase): phase is Part => phase !== 'total');

/** Okabe and Ito's colours, distinct in all kinds of colour vision. */
const PART_COLOURS: Readonly<Record<Part, string>> = {
  dns: '#e69f00',
  tcp: '#56b4e9',
  tls: '#cc79a7',
  firstByte: '#0072b2',
  download: '#009e73',
};

/** One line of a chart: the requests of one kind of one side. */
interface Row {
  readonly role: ProbeSide['role'];
  readonly title: string;
  readonly requests: readonly ProbePhases[];
}

/**
 * Draws where a request's time goes, as stacked medians with the interval of each phase below its part, and each
 * request's total as a point, because a median hides the distribution. Empty without a probe.
 */
export function probeCharts(sides: readonly ProbeSide[], locale: string): SweepChart[] {
  const rows = PROBE_CONNECTIONS.flatMap((connection) => sides.flatMap((side) => rowOf(side, connection, sides)));
  if (rows.length === 0) return [];
  const format = createFormatter(locale);
  return [
    { id: 'probe-phases', title: 'Where a request’s time goes: medians', svg: phasesChart(rows, format, locale) },
    { id: 'probe-totals', title: 'Total time of each request', svg: totalsChart(rows, format) },
  ];
}

function rowOf({ role, probe }: ProbeSide, connection: ProbeConnection, sides: readonly ProbeSide[]): Row[] {
  const requests = requestsOf(probe.samples, connection);
  const isRested = sides.some((side) => isAfterRest(side.probe.plan));
  const title = `${connectionTitle(connection, isRested)}${role === 'only' ? '' : `, ${role}`}`;
  return requests.length === 0 ? [] : [{ role, title, requests }];
}

/** A phase within its row's bar. Seconds. */
interface StackedPart {
  readonly part: Part;
  readonly from: number;
  readonly median: number;
  readonly interval: readonly [number, number] | null;
  readonly text: string;
}

function stackOf({ requests }: Row, format: Formatter): StackedPart[] {
  let from = 0;
  return PARTS.flatMap((part) => {
    const found = medianOf(phaseValues(requests, part));
    if (found === null || (found.median === 0 && (part === 'dns' || part === 'tcp'))) return [];
    const { median, interval } = found;
    const stacked = { part, from, median, interval, text: `${PHASE_LABELS[part]} ${medianText(found, format)}` };
    from += median;
    return [stacked];
  });
}

const PHASE_ROW = BAR + LANE * (PARTS.length + 1) + 14;

function phasesChart(rows: readonly Row[], format: Formatter, locale: string): Markup {
  const stacks = rows.map((row) => stackOf(row, format));
  const totals = rows.map(({ requests }) => medianOf(phaseValues(requests, 'total'))!);
  const ends = [
    ...totals.flatMap(({ median, interval }) => [median, interval?.[1] ?? 0]),
    ...stacks.flat().flatMap(({ from, median, interval }) => [from + median, from + (interval?.[1] ?? 0)]),
  ];
  const most = Math.max(...ends) || 1;
  const x = (seconds: number): number => BOX.left + (INNER_WIDTH * seconds) / most;
  const height = BOX.top + rows.length * PHASE_ROW + BOX.bottom;
  const { step, text } = weightScale(locale, 'seconds', 0)(most, most / 6);
  const ticks = Array.from({ length: Math.min(20, Math.floor(most / step + 1e-9) + 1) }, (_, place) => place * step);
  const summaries = rows.map(
    ({ title }, place) =>
      `${title}: ${stacks[place]!.map((one) => one.text).join(', ')}, total ${medianText(totals[place]!, format)}`,
  );
  return picture(`Where a request’s time goes: ${summaries.join('; ')}`, height, [
    ...legend(),
    ...ticks.flatMap((seconds) => tick(x(seconds), height, text(seconds))),
    ...rows.flatMap(({ title }, place) => {
      const top = BOX.top + place * PHASE_ROW;
      const total = totals[place]!;
      return [
        label(title, top + 12),
        ...stacks[place]!.flatMap((one) => partOf(one, top, x)),
        ...(total.interval === null
          ? []
          : [whisker(total.interval, total.median, top + BAR + LANE * (PARTS.length + 1), 'currentColor', x)]),
      ];
    }),
  ]);
}

function partOf({ part, from, median, interval, text }: StackedPart, top: number, x: (seconds: number) => number) {
  const colour = PART_COLOURS[part];
  const bar = markup(
    'rect',
    { x: fixed(x(from)), y: top, width: fixed(x(from + median) - x(from)), height: BAR, fill: colour },
    markup('title', {}, text),
  );
  if (interval === null) return [bar];
  const [low, high] = interval;
  const y = top + BAR + LANE * (PARTS.indexOf(part) + 1);
  return [bar, whisker([from + low, from + high], from + median, y, colour, x)];
}

/** Draws an interval with its median. */
const whisker = (
  [low, high]: readonly [number, number],
  median: number,
  y: number,
  colour: string,
  x: (seconds: number) => number,
): Markup =>
  markup(
    'g',
    { class: 'interval' },
    markup('rect', { x: fixed(x(low)), y: y - 1, width: fixed(x(high) - x(low)), height: 2, fill: colour }),
    markup('line', { x1: fixed(x(median)), x2: fixed(x(median)), y1: y - 2, y2: y + 2, stroke: colour }),
  );

const legend = (): Markup[] =>
  PARTS.flatMap((part, place) => {
    const at = BOX.left + place * 110;
    return [
      markup('rect', { x: at, y: 4, width: 10, height: 10, fill: PART_COLOURS[part] }),
      markup('text', { x: at + 15, y: 13, fill: 'currentColor' }, PHASE_LABELS[part]),
    ];
  });

const TOTAL_ROW = 30;

function totalsChart(rows: readonly Row[], format: Formatter): Markup {
  const totals = rows.map(({ requests }) => phaseValues(requests, 'total'));
  // curl states microseconds.
  const all = totals.flat().map((seconds) => Math.max(seconds, 1e-6));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const x = (seconds: number): number =>
    BOX.left + INNER_WIDTH * (most > least ? Math.log(Math.max(seconds, least) / least) / Math.log(most / least) : 0.5);
  const height = rows.length * TOTAL_ROW + BOX.bottom + 10;
  const text = (seconds: number): string => format.value(seconds, 'seconds');
  const ticks = most > least ? [0, 0.25, 0.5, 0.75, 1].map((part) => least * (most / least) ** part) : [least];
  const spreads = rows.map(({ title }, place) => `${title}: ${spreadText(totals[place]!, format)}`);
  return picture(
    `Total time of each request: ${spreads.join('; ')}`,
    height,
    [
      ...ticks.flatMap((seconds) => tick(x(seconds), height, text(seconds), 2)),
      ...rows.map(({ role, title }, place) => {
        const middle = 16 + place * TOTAL_ROW;
        const median = medianOf(totals[place]!)!.median;
        return markup(
          'g',
          { class: `load-${role}` },
          label(title, middle + 4),
          markup('line', {
            x1: fixed(x(median)),
            x2: fixed(x(median)),
            y1: middle - 11,
            y2: middle + 11,
            stroke: SIDE_COLOURS[role],
          }),
          ...totals[place]!.map((seconds, at) =>
            markup(
              'circle',
              // The offset separates points of equal times.
              { cx: fixed(x(seconds)), cy: middle + ((at % 5) - 2) * 3, r: 2.5, fill: SIDE_COLOURS[role] },
              markup('title', {}, `probe ${at + 1}: ${text(seconds)}`),
            ),
          ),
        );
      }),
    ],
    'time (log)',
  );
}

/** Returns the distribution of totals: `min 1 ms · p25 2 ms · p50 3 ms · p75 4 ms · max 9 ms`. */
export function spreadText(totals: readonly number[], format: Formatter): string {
  const sorted = totals.toSorted((a, b) => a - b);
  const at = (share: number): string => format.value(sorted[Math.round(share * (sorted.length - 1))]!, 'seconds');
  const median = format.value(medianOf(totals)?.median ?? NaN, 'seconds');
  return `min ${at(0)} · p25 ${at(0.25)} · p50 ${median} · p75 ${at(0.75)} · max ${at(1)}`;
}

const label = (title: string, y: number): Markup =>
  markup('text', { x: BOX.left - 8, y, 'text-anchor': 'end', fill: 'currentColor' }, title);

const tick = (at: number, height: number, text: string, top = 18): Markup[] => [
  markup('line', {
    x1: fixed(at),
    x2: fixed(at),
    y1: top,
    y2: height - BOX.bottom + 4,
    stroke: '#8888',
    class: 'grid',
  }),
  markup(
    'text',
    { x: fixed(Math.min(at, WIDTH - 24)), y: height - BOX.bottom + 18, 'text-anchor': 'middle', fill: 'currentColor' },
    text,
  ),
];

const picture = (name: string, height: number, children: readonly Markup[], axis = ''): Markup =>
  markup(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'load-chart probe-chart',
      'font-size': 11,
      viewBox: `0 0 ${WIDTH} ${height}`,
      role: 'img',
      'aria-label': name,
    },
    ...children,
    ...(axis === ''
      ? []
      : [markup('text', { x: WIDTH - BOX.right, y: height - 3, 'text-anchor': 'end', fill: 'currentColor' }, axis)]),
  );
