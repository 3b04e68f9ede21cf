import { baseName } from '../../model/base-name.ts';
import { frameColours, neutralColour } from '../../colour/frame-colour.ts';
import { functionLabel, visibleText } from '../../analyze/function-label.ts';
import { functionRef } from '../../analyze/function-ref.ts';
import type { FunctionFacts } from '../../model/function-facts.ts';
import type { MeasuredSeries } from '../../model/profile.ts';
import { buildCallTree } from '../../analyze/tree/call-tree.ts';
import { calleesView, callersView } from '../../analyze/tree/sandwich.ts';
import type { TimeRange } from '../../analyze/time/grid.ts';
import { timeHistogram } from '../../analyze/time/histogram.ts';
import { seriesPath, seriesSentence } from '../../analyze/time/series-path.ts';
import type { CallTree } from '../../analyze/view/stack-view.ts';
import type { SectionOf } from '../../contract/report/report.ts';
import { flamePicture, type FlamePicture } from '../../export/svg/flame-picture.ts';
import { createColumnFormat } from '../../units/column-format.ts';
import { createFormatter } from '../../units/format.ts';
import { markup, type Markup, type MarkupChild } from '../../export/markup.ts';
import { pictureMarkup } from '../picture-markup.ts';
import { sandwichFunction, zoomedTree } from './chosen-places.ts';
import { captureGroups } from '../capture-groups.ts';
import { REPORT_LOCALE, type PreparedCapture, type Searches } from '../prepare.ts';
import { treePins, type NumberedNote, type TreePins } from '../placed-notes.ts';
import { nameMarkup, tableMarkup, type StillColumn } from '../table-markup.ts';
import { hint } from '../text-markup.ts';

const format = createFormatter(REPORT_LOCALE);

/** Size of a picture within a page; further frames are too narrow to be read on paper. */
const PICTURE = { width: 1000, minWidth: 1, maxFrames: 600 } as const;

/** Returns `cpu-clock (nanoseconds)`. */
export const valueTypeWords = ({ valueType: { type, unit } }: PreparedCapture): string =>
  visibleText(unit === '' || unit === type ? type : `${type} (${unit})`);

export function captureTotal({ stacks, valueType }: PreparedCapture): string {
  return `${format.value(stacks.total, valueType.unit)} in ${format.count(stacks.sampleCount, 'sample')}`;
}

/** Returns the colours of a capture's frames on paper. */
function captureColours(capture: PreparedCapture): (node: number, facts: FunctionFacts | null) => string {
  const colours = frameColours({ theme: 'light', ...captureGroups(capture) });
  return (_, facts) => (facts === null ? neutralColour('light') : colours(facts));
}

/** Returns a capture's notes at the frames of one of its trees. */
const capturePins = (notes: readonly NumberedNote[], capture: PreparedCapture, tree: CallTree): TreePins =>
  treePins(notes, capture.id, capture.stacks.profile, tree);

export function flameOf(
  section: SectionOf<'flame'>,
  capture: PreparedCapture,
  size: { readonly width: number; readonly minWidth: number; readonly maxFrames: number } = PICTURE,
  notes: readonly NumberedNote[] = [],
): FlamePicture {
  const { tree, root } = zoomedTree(section, capture);
  return flamePicture({
    names: capture.stacks.profile,
    tree,
    root,
    ...size,
    orientation: section.orientation,
    unit: capture.valueType.unit,
    colour: captureColours(capture),
    matches: capture.searches.get(section.search)?.matches ?? null,
    pins: capturePins(notes, capture, tree).atNode,
  });
}

/** Describes a search, with a space before it; empty if there is none. */
export function searchWords(search: string, searches: Searches): string {
  if (search === '') return '';
  const refused = searches.get(search)?.refused ?? null;
  return refused === null
    ? ` Search: ${visibleText(search)}.`
    : ` Invalid search, nothing is highlighted: ${visibleText(search)} (${visibleText(refused).replace(/\.$/, '')}).`;
}

/** Describes what a graph shows. */
export function flameWords(section: SectionOf<'flame'>, capture: PreparedCapture): string {
  const { tree, root, isWhole } = zoomedTree(section, capture);
  const zoom =
    root === 0
      ? ''
      : ` Zoomed to ${visibleText(functionLabel(capture.stacks.profile, tree.func[root]!).slice(0, 500))}: ${format.share(tree.total[root]!, tree.total[0]!)} of all.`;
  const lost = isWhole ? '' : ' The frame that it was zoomed to is not in this capture.';
  const direction = section.direction === 'bottom-up' ? ', bottom-up' : '';
  return `${visibleText(capture.name)}: ${valueTypeWords(capture)}, ${captureTotal(capture)}${direction}.${zoom}${lost}${searchWords(section.search, capture.searches)}`;
}

export function flameSection(
  section: SectionOf<'flame'>,
  capture: PreparedCapture,
  notes: readonly NumberedNote[],
): MarkupChild[] {
  const picture = flameOf(section, capture, PICTURE, notes);
  return [figure(picture, flameWords(section, capture))];
}

/** Returns a picture with its caption. */
export function figure(picture: FlamePicture, words: string): Markup {
  const hidden =
    picture.hidden === 0
      ? ''
      : ` ${format.count(picture.hidden, 'frame is', 'frames are')} too narrow to be drawn at this width.`;
  return markup('figure', {}, pictureMarkup(picture, words), markup('figcaption', {}, `${words}${hidden}`));
}

export function sandwichSection(section: SectionOf<'sandwich'>, capture: PreparedCapture): MarkupChild[] {
  const func = sandwichFunction(section, capture);
  if (func === null) return [hint('The function is not in this capture.')];
  const names = capture.stacks.profile;
  const name = visibleText(functionLabel(names, func).slice(0, 500));
  const half = (
    view: typeof capture.stacks,
    direction: CallTree['direction'],
    orientation: 'flame' | 'icicle',
  ): FlamePicture => {
    const tree = buildCallTree(view, direction);
    return flamePicture({
      names,
      tree,
      root: tree.length > 1 ? 1 : 0,
      ...PICTURE,
      orientation,
      unit: capture.valueType.unit,
      colour: captureColours(capture),
    });
  };
  return [
    figure(half(callersView(capture.stacks, func), 'bottom-up', 'flame'), `Callers of ${name}.`),
    figure(half(calleesView(capture.stacks, func), 'top-down', 'icicle'), `Callees of ${name}.`),
  ];
}

interface FunctionRow {
  readonly func: number;
  readonly self: number;
  readonly total: number;
}

/** Returns the heaviest functions of a capture. */
export function functionRows({ sort, rows }: SectionOf<'functions'>, { stats }: PreparedCapture): FunctionRow[] {
  return Array.from({ length: stats.length }, (_, row) => ({
    func: stats.func[row]!,
    self: stats.self[row]!,
    total: stats.total[row]!,
  }))
    .sort((a, b) => b[sort] - a[sort] || a.func - b.func)
    .slice(0, rows);
}

export function functionsSection(
  section: SectionOf<'functions'>,
  capture: PreparedCapture,
  notes: readonly NumberedNote[],
): MarkupChild[] {
  const pins = capturePins(notes, capture, capture.tree);
  const names = capture.stacks.profile;
  const { total } = capture.stacks;
  const column = createColumnFormat(REPORT_LOCALE, capture.valueType.unit, total, format);
  const share = (weight: number): string => format.share(weight, total);
  const columns: StillColumn<FunctionRow>[] = [
    { header: 'Function', cell: ({ func }) => nameMarkup(functionRef(names, func).name, pins.atFunction(func)) },
    { header: 'Self', isNumber: true, cell: ({ self }) => column(self) },
    { header: 'Self %', isNumber: true, cell: ({ self }) => share(self) },
    { header: 'Total', isNumber: true, cell: (row) => column(row.total) },
    { header: 'Total %', isNumber: true, cell: (row) => share(row.total) },
    { header: 'Module', cell: ({ func }) => visibleText(baseName(functionRef(names, func).module)) },
  ];
  const rows = functionRows(section, capture);
  const more = capture.stats.length - rows.length;
  const caption = `${visibleText(capture.name)}: ${valueTypeWords(capture)}, ${captureTotal(capture)}, by ${section.sort} weight`;
  return [
    tableMarkup(caption, columns, rows),
    ...(more > 0 ? [hint(`${format.count(more, 'lighter function is', 'lighter functions are')} not listed.`)] : []),
  ];
}

const BUCKETS = 250;
const TIME = { width: 1000, height: 80 } as const;

export function timeSection(capture: PreparedCapture, notes: readonly NumberedNote[]): MarkupChild[] {
  const histogram = timeHistogram(capture.profile, capture.selection, BUCKETS);
  if (histogram === null) return [hint('The samples of this capture have no timestamps.')];
  const largest = histogram.weight.reduce((most, weight) => Math.max(most, weight), 0);
  const step = TIME.width / BUCKETS;
  const words = `${visibleText(capture.name)}: ${valueTypeWords(capture)} over ${format.value(histogram.end - histogram.start, 'nanoseconds')}.`;
  const bars = Array.from(histogram.weight, (weight, place) => {
    const height = largest === 0 ? 0 : (TIME.height * weight) / largest;
    return height === 0
      ? null
      : markup('rect', {
          x: Math.round(place * step * 100) / 100,
          y: Math.round((TIME.height - height) * 100) / 100,
          width: Math.round((step - 0.5) * 100) / 100,
          height: Math.round(height * 100) / 100,
        });
  });
  const lacking =
    histogram.withoutTime === 0
      ? ''
      : ` ${format.count(histogram.withoutTime, 'sample')} without a timestamp left out.`;
  return [
    timeFigure(
      words,
      [
        ...bars.filter((bar) => bar !== null),
        ...notes.flatMap((one) => (one.on === capture.id ? markOf(one, histogram) : [])),
      ],
      words + lacking,
    ),
    ...(capture.profile.metadata.series ?? []).map((one) => seriesFigure(one, histogram)),
  ];
}

/** Draws a measured series on the axis of the time strip above it. */
function seriesFigure(series: MeasuredSeries, span: TimeRange): Markup {
  const path = { d: seriesPath(series, span, TIME), fill: 'none', stroke: 'currentColor' };
  return timeFigure(`${seriesSentence(series)}.`, [markup('path', path)]);
}

/** Returns a picture over time. `label` describes it to screen readers. */
function timeFigure(label: string, children: readonly MarkupChild[], caption = label): Markup {
  const svg = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'time-still',
    viewBox: `0 0 ${TIME.width} ${TIME.height}`,
    role: 'img',
    'aria-label': label,
  };
  return markup('figure', {}, markup('svg', svg, ...children), markup('figcaption', {}, caption));
}

/** Marks a note's time range over the bars; a moment is a line. */
function markOf({ note: { anchor }, number }: NumberedNote, span: { start: number; end: number }): MarkupChild[] {
  if (anchor.kind !== 'range') return [];
  const place = (time: number): number =>
    Math.round((TIME.width * 100 * (time - span.start)) / (span.end - span.start)) / 100;
  const left = place(anchor.start);
  const width = anchor.end === null ? 1 : Math.max(1, place(anchor.end) - left);
  if (left + width < 0 || left > TIME.width) return [];
  return [
    markup(
      'a',
      { href: `#note-${number}`, class: 'mark', 'aria-label': `note ${number}` },
      markup('rect', { x: left, y: 0, width, height: TIME.height }),
      markup('text', { x: left + 3, y: 12 }, String(number)),
    ),
  ];
}
