import { baseName } from '../../model/base-name.ts';
import { visibleText } from '../../analyze/function-label.ts';
import { functionRef } from '../../analyze/function-ref.ts';
import { widthTree } from '../../compare/delta-tree.ts';
import { callersText, comparisonAnswer } from '../../compare/describe-answer.ts';
import { changeSentence, levelsText, marginOf, relativeText } from '../../compare/describe-change.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { nothingMoved, wholeSentence } from '../../compare/describe-sizes.ts';
import { isRelative } from '../../compare/statistics/judge-by-size.ts';
import { methodName } from '../../compare/describe-comparison.ts';
import { rankFunctions, type ComparedFunction } from '../../compare/rank-functions.ts';
import { isChange, type Judgement, type Metric } from '../../compare/statistics/judge.ts';
import type { Mover } from '../../compare/top-movers.ts';
import { judgementText } from '../../compare/verdict-words.ts';
import type { SectionOf } from '../../contract/report/report.ts';
import type { Side } from '../../contract/side.ts';
import { createFormatter } from '../../units/format.ts';
import { markup, type MarkupChild } from '../../export/markup.ts';
import { REPORT_LOCALE, type PreparedComparison } from '../prepare.ts';
import { nameMarkup, tableMarkup, type StillColumn } from '../table-markup.ts';
import { treePins, type NumberedNote, type TreePins } from '../placed-notes.ts';
import { figure, searchWords } from './capture-sections.ts';
import { DELTA_LEGEND, deltaPicture, sidePicture, widthWords, zoomWords } from './delta-pictures.ts';
import { hint } from '../text-markup.ts';

const format = createFormatter(REPORT_LOCALE);

/** Describes what a comparison's numbers are: `cpu-clock per run (Welch's t)`. */
export function comparisonCaption({ comparison }: PreparedComparison): string {
  const { normalised, design, before } = comparison;
  const type = visibleText(before.captures[0]!.valueType.type);
  return `${type}, ${visibleText(normalised.formula)} (${methodName(design)})`;
}

/** Describes the change of the whole in one sentence. */
export const wholeText = ({ comparison, text, reason }: PreparedComparison): string =>
  wholeSentence(comparison, text, reason);

/** The comparison's answer in one sentence. */
export const answerLine = ({ comparison, movers, text }: PreparedComparison): string =>
  comparisonAnswer(comparison, movers, (name) => visibleText(name.slice(0, 2000)), text);

/** Describes what moved, one sentence each, largest first. */
export function moverSentences({ comparison, movers, text, reason }: PreparedComparison, most: number): string[] {
  return movers.movers.slice(0, most).map(({ func, column, judgement }) => {
    const { name } = functionRef(comparison.matched.table, func);
    return changeSentence(visibleText(name.slice(0, 2000)), judgement, column, text, reason);
  });
}

export function deltaGraphSection(
  section: SectionOf<'delta-graph'>,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
): MarkupChild[] {
  const words = `${comparisonCaption(compared)}.${zoomWords(section, compared)}${searchWords(section.search ?? '', compared.searches)}`;
  if (section.look === 'delta') {
    return [figure(deltaPicture(section, compared, notes), `Deltas, ${widthWords(section)}: ${words} ${DELTA_LEGEND}`)];
  }
  return [
    figure(sidePicture('before', section, compared, notes), `Before: ${words}`),
    figure(sidePicture('after', section, compared, notes), `After, on the same scale. ${DELTA_LEGEND}`),
  ];
}

/** Returns `grew`, `shrank`, or an empty text for verdicts without a colour. */
const judgementTone = ({ verdict }: Judgement): string => (isChange(verdict) ? verdict : '');

/** Returns the comparison's notes at its functions. */
const comparisonPins = ({ comparison, tree }: PreparedComparison, notes: readonly NumberedNote[]): TreePins =>
  treePins(notes, null, comparison.matched.table, widthTree(tree, 'union'));

const nameColumn = (pins: TreePins): StillColumn<ComparedFunction> => ({
  header: 'Function',
  cell: ({ name, func }) => nameMarkup(name, pins.atFunction(func)),
});
const moduleColumn: StillColumn<ComparedFunction> = {
  header: 'Module',
  cell: ({ module }) => visibleText(baseName(module)),
};

/** Returns the heaviest functions, by the larger of both sides' totals. */
export function heaviestCompared(compared: PreparedComparison, rows: number): ComparedFunction[] {
  const weight = ({ total }: ComparedFunction): number => Math.max(total.before, total.after);
  return rankFunctions(compared.comparison, 'total')
    .sort((a, b) => weight(b) - weight(a) || a.func - b.func)
    .slice(0, rows);
}

export function beforeAfterSection(
  { rows }: SectionOf<'before-after'>,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
): MarkupChild[] {
  const { text } = compared;
  const side = (metric: Metric, name: Side): StillColumn<ComparedFunction> => ({
    header: `${metric === 'self' ? 'Self' : 'Total'} ${name}`,
    isNumber: true,
    cell: (row) => text.column(row[metric][name]),
    tone: (row) => (name === 'after' ? judgementTone(row[metric]) : ''),
  });
  const columns = [
    nameColumn(comparisonPins(compared, notes)),
    side('total', 'before'),
    side('total', 'after'),
    side('self', 'before'),
    side('self', 'after'),
    moduleColumn,
  ];
  const caption = `Total (cumulative) and self weight of both sides: ${comparisonCaption(compared)}`;
  const shown = heaviestCompared(compared, rows);
  const print = printedRows(shown, ({ total, self }) => isJudged(total) || isJudged(self));
  return [tableMarkup(caption, columns, shown, print.attributesOf), ...print.hint];
}

export function deltasSection(
  { rows, measure }: SectionOf<'deltas'>,
  compared: PreparedComparison,
  notes: readonly NumberedNote[],
): MarkupChild[] {
  const { text, reason, comparison } = compared;
  const of = (row: ComparedFunction): Judgement => row[measure];
  const tone = (row: ComparedFunction): string => judgementTone(of(row));
  const all = rankFunctions(comparison, measure);
  const shown = all.slice(0, rows);
  const levels = levelsText(shown.map((row) => of(row).level));
  const columns: StillColumn<ComparedFunction>[] = [
    nameColumn(comparisonPins(compared, notes)),
    { header: 'Before', isNumber: true, cell: (row) => text.column(of(row).before) },
    { header: 'After', isNumber: true, cell: (row) => text.column(of(row).after) },
    { header: `Δ ${measure}`, isNumber: true, cell: (row) => text.columnDelta(of(row).delta), tone },
    { header: 'Δ %', isNumber: true, cell: (row) => relativeText(of(row), text), tone },
    { header: `±${levels}`, isNumber: true, cell: (row) => marginText(of(row), compared) },
    { header: 'Verdict', isPhrase: true, cell: (row) => judgementText(of(row), reason), tone },
    moduleColumn,
  ];
  const more = all.length - shown.length;
  const print = printedRows(shown, (row) => isJudged(of(row)));
  return [
    tableMarkup(`Changes of ${measure} weight: ${comparisonCaption(compared)}`, columns, shown, print.attributesOf),
    ...print.hint,
    ...(more > 0 ? [hint(`${format.count(more, 'function')} ${more === 1 ? 'is' : 'are'} not listed.`)] : []),
  ];
}

/** Returns whether a function was tested with a result, *no clear change* among them. */
const isJudged = ({ verdict }: Judgement): boolean =>
  verdict !== 'not-tested' && verdict !== 'unknown' && verdict !== 'not-decided';

/** Leaves rows without a verdict out of print and counts them there, unless no row has one. */
function printedRows(
  rows: readonly ComparedFunction[],
  hasVerdict: (row: ComparedFunction) => boolean,
): { attributesOf: (row: ComparedFunction) => Record<string, string>; hint: MarkupChild[] } {
  const left = rows.filter((row) => !hasVerdict(row)).length;
  if (left === 0 || left === rows.length) return { attributesOf: () => ({}), hint: [] };
  return {
    attributesOf: (row) => (hasVerdict(row) ? {} : { class: 'screen-only' }),
    hint: [
      markup(
        'p',
        { class: 'hint print-only' },
        `${format.count(left, 'function')} without a verdict ${left === 1 ? 'is' : 'are'} left out in print.`,
      ),
    ],
  };
}

const marginText = ({ interval }: Judgement, { text }: PreparedComparison): string =>
  interval === null ? '–' : `±${text.columnReach(marginOf(interval))}`;

export function moversSection({ rows }: SectionOf<'movers'>, compared: PreparedComparison): MarkupChild[] {
  const { movers, more } = compared.movers;
  const callers = callersText(compared.movers, format);
  const { comparison } = compared;
  const listed = movers.slice(0, rows);
  const sentences = moverSentences(compared, rows);
  const left = more + movers.length - listed.length;
  return [
    markup('p', { class: 'lead' }, answerLine(compared)),
    markup('p', {}, wholeText(compared)),
    ...(listed.length === 0
      ? [markup('p', {}, nothingMovedIn(comparison))]
      : [
          markup(
            'ol',
            { class: 'movers-still' },
            ...listed.map((mover, place) => moverItem(mover, sentences[place]!, compared)),
          ),
        ]),
    ...(left > 0 ? [hint(`${format.count(left, 'more function')} also changed.`)] : []),
    ...(callers === null ? [] : [hint(callers)]),
    hint(`${comparisonCaption(compared)}.`),
    ...comparison.warnings.map(({ message }) => markup('p', { class: 'warning' }, message)),
  ];
}

export const nothingMovedIn = ({ warnings, whole, sizes, normalised, design }: Comparison): string =>
  nothingMoved(warnings, normalised.kind === 'share' ? null : whole, isRelative(sizes), design.isReplicated);

function moverItem({ func, judgement }: Mover, sentence: string, { comparison }: PreparedComparison): MarkupChild {
  const name = visibleText(functionRef(comparison.matched.table, func).name.slice(0, 2000));
  const rest = sentence.startsWith(name) ? sentence.slice(name.length) : ` ${sentence}`;
  const sign = judgement.delta > 0 ? '▲' : '▼';
  const tone = judgementTone(judgement);
  return markup(
    'li',
    {},
    markup('span', { class: tone === '' ? 'sign' : `sign tone-${tone}`, 'aria-hidden': 'true' }, sign),
    markup('span', {}, nameMarkup(name), rest),
  );
}
