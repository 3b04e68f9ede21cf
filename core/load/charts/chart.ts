import { markup, type Markup } from '../../export/markup.ts';
import type { AxisScale } from '../../units/axis-scale.ts';

/** A picture without scripts and inline styles, for the window and for files. */
export interface LoadChart {
  readonly id: string;
  readonly title: string;
  readonly svg: Markup;
}

/** One of the load tests that are drawn over each other. */
export type ChartRole = 'only' | 'before' | 'after';

/** Okabe and Ito's colours, distinct in all kinds of colour vision, and two more. */
export const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#999999',
  '#b8a900',
] as const;

/** Colours without a style sheet. */
export const SIDE_COLOURS: Readonly<Record<ChartRole, string>> = {
  only: COLOURS[0],
  before: COLOURS[0],
  after: COLOURS[1],
};

/** A picture's size and the margins around its plot, in pixels. */
export interface ChartBox {
  /** Class of the picture beside `load-chart`; empty: none. */
  readonly kind: string;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the coordinate of a value. */
export type Place = (value: number) => number;

const innerWidth = ({ width, left, right }: ChartBox): number => width - left - right;
const innerHeight = ({ height, top, bottom }: ChartBox): number => height - top - bottom;

/** Places 0 at the left of the plot and `most` at its right. */
export const placeAcross =
  (box: ChartBox, most: number): Place =>
  (value) =>
    box.left + (innerWidth(box) * value) / most;

/**
 * Places the smallest of the values at the left of the plot and the largest at its right, with a margin of pixels; a
 * single one in the middle. A logarithmic scale has values that are not positive at the left.
 */
export function placeBetween(box: ChartBox, values: readonly number[], scale: 'log' | 'linear', margin = 0): Place {
  const [least, most] = rangeOf(values, scale);
  const of = (value: number): number => (scale === 'log' ? Math.log(Math.max(value, least)) : value);
  const part = (value: number): number => (most > least ? (of(value) - of(least)) / (of(most) - of(least)) : 0.5);
  return (value) => box.left + margin + (innerWidth(box) - 2 * margin) * part(value);
}

/** Returns five values at equal distances on a logarithmic scale, or the only one. */
export function logTicks(values: readonly number[]): number[] {
  const [least, most] = rangeOf(values, 'log');
  return most > least ? [0, 0.25, 0.5, 0.75, 1].map((part) => least * (most / least) ** part) : [least];
}

function rangeOf(values: readonly number[], scale: 'log' | 'linear'): [least: number, most: number] {
  const known = scale === 'log' ? values.filter((value) => value > 0) : values;
  return known.length === 0 ? [1, 1] : [Math.min(...known), Math.max(...known)];
}

/** One line of a chart, in the units of its axes. */
export interface Series {
  /** Class of the group: `load-before`. */
  readonly role: ChartRole | 'hop';
  readonly colour: string;
  readonly dashes?: string | undefined;
  /** Null: not known; the line has a gap. */
  readonly line: readonly { readonly at: number; readonly value: number | null }[];
  readonly points?: readonly { readonly at: number; readonly value: number; readonly title: string }[];
  readonly intervals?: readonly { readonly at: number; readonly range: readonly [number, number] }[];
  /** Draws what lies over the line. */
  readonly marks?: (x: Place, y: Place) => readonly Markup[];
}

interface SeriesChart {
  /** What the picture shows, for those who cannot see it. */
  readonly name: string;
  readonly x: Place;
  /** Texts below the plot; those that would overlap the one before are left out. */
  readonly labels: readonly { readonly at: number; readonly text: string }[];
  /** Title of the horizontal axis. */
  readonly axisTitle?: string;
  readonly axis: AxisScale;
  /** Largest value that has a grid line. */
  readonly most: number;
  /** Value at the top of the plot. */
  readonly top: number;
  /** Spans of the horizontal axis that are shaded. */
  readonly spans?: readonly { readonly from: number; readonly to: number }[];
  readonly series: readonly Series[];
  /** Of points, in pixels. */
  readonly radius: number;
}

/** Pixels between the starts of two labels. */
const LABEL_ROOM = 44;

/** Draws lines and points over a grid. */
export function seriesChart(box: ChartBox, chart: SeriesChart): Markup {
  const { name, x, axis, most, labels, axisTitle, spans = [], series, radius } = chart;
  const y: Place = (value) => box.top + innerHeight(box) * (1 - value / chart.top);
  const shaded = spans.map(({ from, to }) =>
    markup('rect', {
      x: fixed(x(from)),
      y: box.top,
      width: fixed(x(to) - x(from)),
      height: innerHeight(box),
      fill: '#8882',
      class: 'run-span',
    }),
  );
  const lines = ticksOf(axis, most).flatMap((value) => [
    gridLine({ x1: box.left, x2: box.width - box.right, y1: fixed(y(value)), y2: fixed(y(value)) }),
    textAt(box.left - 6, y(value) + 4, axis.text(value), 'end'),
  ]);
  let free = -Infinity;
  const below = labels.flatMap(({ at, text }) => {
    if (x(at) < free) return [];
    free = x(at) + LABEL_ROOM;
    return labelBelow(box, x(at), text);
  });
  const drawn = series.map((one) => seriesGroup(one, x, y, radius));
  return picture(box, name, [...shaded, ...lines, ...below, ...drawn], axisTitle);
}

function seriesGroup(series: Series, x: Place, y: Place, radius: number): Markup {
  const { role, colour, dashes, line, points = [], intervals = [], marks } = series;
  const path = line.flatMap(({ at, value }, place) => {
    if (value === null) return [];
    const isFirst = place === 0 || line[place - 1]!.value === null;
    return `${isFirst ? 'M' : 'L'}${fixed(x(at))},${fixed(y(value))}`;
  });
  return markup(
    'g',
    { class: `load-${role}` },
    markup('path', { d: path.join(''), fill: 'none', stroke: colour, 'stroke-dasharray': dashes }),
    ...intervals.map(({ at, range: [low, high] }) =>
      markup('line', {
        x1: fixed(x(at)),
        x2: fixed(x(at)),
        y1: fixed(y(low)),
        y2: fixed(y(high)),
        stroke: colour,
        class: 'interval',
      }),
    ),
    ...points.map(({ at, value, title }) => dotAt(x(at), y(value), radius, colour, title)),
    ...(marks?.(x, y) ?? []),
  );
}

/** Returns the round values from 0 to `most`, at most 20. */
export const ticksOf = ({ step }: AxisScale, most: number): number[] =>
  Array.from({ length: Math.min(20, Math.floor(most / step + 1e-9) + 1) }, (_, place) => place * step);

/** Draws a label below the plot, inside the picture. */
export const labelBelow = ({ width, height, bottom }: ChartBox, at: number, text: string): Markup =>
  textAt(Math.min(at, width - 22), height - bottom + 16, text, 'middle');

export const textAt = (x: number, y: number, text: string, anchor?: 'middle' | 'end'): Markup =>
  markup('text', { x: fixed(x), y: fixed(y), 'text-anchor': anchor, fill: 'currentColor' }, text);

export const dotAt = (x: number, y: number, radius: number, fill: string, title: string): Markup =>
  markup('circle', { cx: fixed(x), cy: fixed(y), r: radius, fill }, markup('title', {}, title));

export const gridLine = (ends: Readonly<Record<'x1' | 'x2' | 'y1' | 'y2', number | string>>): Markup =>
  markup('line', { ...ends, stroke: '#8888', class: 'grid' });

export const picture = (
  { kind, width, height, right }: ChartBox,
  name: string,
  children: readonly Markup[],
  axisTitle?: string,
): Markup =>
  markup(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: `load-chart ${kind}`.trim(),
      'font-size': 11,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': name,
    },
    ...children,
    ...(axisTitle === undefined ? [] : [textAt(width - right, height - 3, axisTitle, 'end')]),
  );

/** Rounds a coordinate to hundredths of a pixel. */
export const fixed = (value: number): string => String(Math.round(value * 100) / 100);
