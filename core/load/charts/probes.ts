import { markup, type Markup } from '../../export/markup.ts';
import { weightScale } from '../../units/axis-scale.ts';
import { createFormatter, type Formatter } from '../../units/format.ts';
import {
  connectionTitle,
  isAfterRest,
  PROBE_CONNECTIONS,
  requestsOf,
  type ProbeConnection,
  type ProbeSide,
} from '../describe-probe.ts';
import {
  medianOf,
  medianText,
  PHASE_LABELS,
  phasesIn,
  phaseValues,
  type PROBE_PHASES,
  type ProbePhases,
} from '../probe.ts';
import {
  COLOURS,
  dotAt,
  fixed,
  gridLine,
  labelBelow,
  logTicks,
  picture,
  placeAcross,
  placeBetween,
  SIDE_COLOURS,
  textAt,
  ticksOf,
  type ChartBox,
  type LoadChart,
  type Place,
} from './chart.ts';

/** A picture whose height has room for its rows. */
const boxOf = (height: number): ChartBox => ({
  kind: 'probe-chart',
  width: 940,
  height,
  left: 230,
  right: 20,
  top: 26,
  bottom: 36,
});
const { left: LEFT, top: TOP, bottom: BOTTOM } = boxOf(0);
const BAR = 16;
/** Vertical distance of the intervals below a bar. */
const LANE = 4;

type Part = Exclude<(typeof PROBE_PHASES)[number], 'total'>;
const partsOf = (rows: readonly Pick<Row, 'requests'>[]): Part[] =>
  phasesIn(rows.flatMap(({ requests }) => requests)).filter((phase): phase is Part => phase !== 'total');

const PART_COLOURS: Readonly<Record<Part, string>> = {
  blocked: COLOURS[6],
  preflight: COLOURS[1],
  dns: COLOURS[4],
  tcp: COLOURS[5],
  tls: COLOURS[3],
  firstByte: COLOURS[0],
  download: COLOURS[2],
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
export function probeCharts(sides: readonly ProbeSide[], locale: string): LoadChart[] {
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

function stackOf({ requests }: Row, parts: readonly Part[], format: Formatter): StackedPart[] {
  let from = 0;
  return parts.flatMap((part) => {
    const found = medianOf(phaseValues(requests, part));
    if (found === null || (found.median === 0 && (part === 'dns' || part === 'tcp'))) return [];
    const { median, interval } = found;
    const stacked = { part, from, median, interval, text: `${PHASE_LABELS[part]} ${medianText(found, format)}` };
    from += median;
    return [stacked];
  });
}

function phasesChart(rows: readonly Row[], format: Formatter, locale: string): Markup {
  const parts = partsOf(rows);
  const height = BAR + LANE * (parts.length + 1) + 14;
  const stacks = rows.map((row) => stackOf(row, parts, format));
  const totals = rows.map(({ requests }) => medianOf(phaseValues(requests, 'total'))!);
  const ends = [
    ...totals.flatMap(({ median, interval }) => [median, interval?.[1] ?? 0]),
    ...stacks.flat().flatMap(({ from, median, interval }) => [from + median, from + (interval?.[1] ?? 0)]),
  ];
  const most = Math.max(...ends) || 1;
  const box = boxOf(TOP + rows.length * height + BOTTOM);
  const x = placeAcross(box, most);
  const axis = weightScale(locale, 'seconds', 0)(most, most / 6);
  const summaries = rows.map(
    ({ title }, place) =>
      `${title}: ${stacks[place]!.map((one) => one.text).join(', ')}, total ${medianText(totals[place]!, format)}`,
  );
  return picture(box, `Where a request’s time goes: ${summaries.join('; ')}`, [
    ...legend(parts),
    ...ticksOf(axis, most).flatMap((seconds) => tick(box, x(seconds), axis.text(seconds), 18)),
    ...rows.flatMap(({ title }, place) => {
      const top = TOP + place * height;
      const total = totals[place]!;
      return [
        label(title, top + 12),
        ...stacks[place]!.flatMap((one) => partOf(one, parts.indexOf(one.part), top, x)),
        ...(total.interval === null
          ? []
          : [whisker(total.interval, total.median, top + BAR + LANE * (parts.length + 1), 'currentColor', x)]),
      ];
    }),
  ]);
}

function partOf({ part, from, median, interval, text }: StackedPart, lane: number, top: number, x: Place) {
  const colour = PART_COLOURS[part];
  const bar = markup(
    'rect',
    { x: fixed(x(from)), y: top, width: fixed(x(from + median) - x(from)), height: BAR, fill: colour },
    markup('title', {}, text),
  );
  if (interval === null) return [bar];
  const [low, high] = interval;
  const y = top + BAR + LANE * (lane + 1);
  return [bar, whisker([from + low, from + high], from + median, y, colour, x)];
}

/** Draws an interval with its median. */
const whisker = ([low, high]: readonly [number, number], median: number, y: number, colour: string, x: Place): Markup =>
  markup(
    'g',
    { class: 'interval' },
    markup('rect', { x: fixed(x(low)), y: y - 1, width: fixed(x(high) - x(low)), height: 2, fill: colour }),
    markup('line', { x1: fixed(x(median)), x2: fixed(x(median)), y1: y - 2, y2: y + 2, stroke: colour }),
  );

const legend = (parts: readonly Part[]): Markup[] =>
  parts.flatMap((part, place) => {
    const at = LEFT + place * 100;
    return [
      markup('rect', { x: at, y: 4, width: 10, height: 10, fill: PART_COLOURS[part] }),
      textAt(at + 15, 13, PHASE_LABELS[part]),
    ];
  });

const TOTAL_ROW = 30;

function totalsChart(rows: readonly Row[], format: Formatter): Markup {
  const totals = rows.map(({ requests }) => phaseValues(requests, 'total'));
  const all = totals.flat();
  const box = boxOf(rows.length * TOTAL_ROW + BOTTOM + 10);
  const x = placeBetween(box, all, 'log');
  const text = (seconds: number): string => format.value(seconds, 'seconds');
  const spreads = rows.map(({ title }, place) => `${title}: ${spreadText(totals[place]!, format)}`);
  return picture(
    box,
    `Total time of each request: ${spreads.join('; ')}`,
    [
      ...logTicks(all).flatMap((seconds) => tick(box, x(seconds), text(seconds), 2)),
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
            // The offset separates points of equal times.
            dotAt(
              x(seconds),
              middle + ((at % 5) - 2) * 3,
              2.5,
              SIDE_COLOURS[role],
              `probe ${at + 1}: ${text(seconds)}`,
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

const label = (title: string, y: number): Markup => textAt(LEFT - 8, y, title, 'end');

/** Draws a line from `top` down to its label. */
const tick = (box: ChartBox, at: number, text: string, top: number): Markup[] => [
  gridLine({ x1: fixed(at), x2: fixed(at), y1: top, y2: box.height - BOTTOM + 4 }),
  labelBelow(box, at, text),
];
