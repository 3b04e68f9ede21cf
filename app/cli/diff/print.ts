import { totalText } from '#core/analyze/reading/absolute-total.ts';
import { shortenMiddle } from '#core/analyze/function-label.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import { unknownCircumstances } from '#core/compare/circumstances.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import type { DeltaTree } from '#core/compare/delta-tree.ts';
import { comparisonAnswer } from '#core/compare/describe-answer.ts';
import {
  adviceText,
  changeSentence,
  levelsText,
  missingRuns,
  marginOf,
  relativeText,
} from '#core/compare/describe-change.ts';
import { byLead, methodText, rulesText } from '#core/compare/describe-comparison.ts';
import { SIZE_CODE } from '#core/compare/describe-sizes.ts';
import { isChange, type Judgement, type Metric } from '#core/compare/statistics/judge.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { topMovers, type TopMovers } from '#core/compare/top-movers.ts';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { maybeReason, runCounts, judgementText } from '#core/compare/verdict-words.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import type { Experiment } from '#core/contract/experiment.ts';
import { countText, createFormatter } from '#core/units/format.ts';
import { listText } from '#core/units/list-text.ts';
import type { ComparedLoads } from '../load/compared.ts';
import { alignLeft } from '../output/align-columns.ts';
import { fitTable, type TableColumn } from '../output/fit-table.ts';
import { absoluteOf, captureRows, type DiffRow } from './report.ts';
import { escapeControls } from '#core/contract/escape-controls.ts';
import type { Side } from '#core/contract/side.ts';
import { functionTitle } from '../output/function-title.ts';

interface DiffText {
  readonly comparison: Comparison;
  readonly experiment: Experiment | null;
  readonly tree: DeltaTree;
  readonly rules: MatchRules;
  readonly metric: Metric;
  /** All requested rows; `rowLimit` of them are printed. */
  readonly rows: readonly DiffRow[];
  readonly rowLimit: number;
  /** Columns of the terminal, or Infinity. */
  readonly width: number;
  /** Null: the sides were not recorded during load tests of their own. */
  readonly loads: ComparedLoads | null;
}

const english = createFormatter('en');

/** Number of movers described in sentences, and maximum length of their names. */
const MOST_MOVERS = 5;
const LONGEST_NAME = 100;
const shortName = (name: string): string => shortenMiddle(name, LONGEST_NAME);

/** Returns the report: the conclusions, a table, and what they rest on. */
export function diffAsText(report: DiffText): string {
  const { comparison, metric, rows } = report;
  const weights = rows.flatMap((row) => [row[metric].before, row[metric].after]);
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const text = createValueText('en', comparison.normalised, largest);
  const { leading, others } = byLead(comparison.warnings);
  const warningLines = (some: typeof others): string[] => some.map(({ message }) => `warning: ${message}`);
  const top = topMovers(comparison, report.tree, MOST_MOVERS);
  const parts = [
    warningLines(leading.filter(({ code }) => code !== SIZE_CODE)),
    [comparisonAnswer(comparison, top, shortName, text)],
    warningLines(leading.filter(({ code }) => code === SIZE_CODE)),
    [...wholeLines(comparison, text, shortName), ...moverLines(comparison, top, text, shortName)],
    environmentLines(comparison),
    tableLines(report, text),
    ...(report.loads?.paragraphs ?? []),
    warningLines(others),
    footLines(report),
    basisLines(report, text),
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.map(escapeControls).join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Describes the change of the whole. By share, the whole is 100 % on both sides. `shown` makes names fit to be printed. */
export function wholeLines(comparison: Comparison, text: ValueText, shown: (name: string) => string): string[] {
  // The first warning says what the whole did if that is not decided.
  if (comparison.normalised.kind === 'share' || comparison.whole.verdict === 'not-decided') return [];
  const { type } = comparison.before.captures[0]!.valueType;
  return [changeSentence(shown(type), comparison.whole, 'total', text, reasonOf(comparison))];
}

/** Says what was compared and how. */
function basisLines({ comparison, experiment }: DiffText, text: ValueText): string[] {
  const { normalised, design } = comparison;
  const { type, unit } = comparison.before.captures[0]!.valueType;
  return [
    ...(experiment === null ? [] : [`${experiment.name} (${experiment.id})`]),
    sideLine(comparison, 'before', experiment, text),
    sideLine(comparison, 'after', experiment, text),
    `${type} (${unit}), ${normalised.kind}: ${normalised.formula}`,
    ...(normalised.divisors.length === 0 ? [] : [`  ${listText(normalised.divisors)}`]),
    `verdicts: ${methodText(design, runCounts(design))}`,
    ...sameEnvironment(comparison),
  ];
}

const reasonOf = ({ design }: Comparison): string | null => maybeReason(design, runCounts(design));

/** Lists the differences of the environment, which may explain the changes, and what is known on only one side. */
function environmentLines({ circumstances }: Comparison): string[] {
  const unknown = unknownCircumstances(circumstances);
  const cells = circumstances
    .filter(({ status }) => status === 'differs')
    .map(({ label, before, after }) => [`  ${label}`, folded(before), folded(after)]);
  return [
    ...(cells.length > 0 ? alignLeft(['environment differences', 'before', 'after'], cells) : []),
    ...(unknown === null ? [] : [`environment ${unknown}`]),
  ];
}

/** Folds the list of values that a side's captures have. */
const folded = (values: string | null): string => listText((values ?? '').split(', '));

/** Says that no property of the environment differs, if any is known. */
function sameEnvironment({ circumstances }: Comparison): string[] {
  const compared = circumstances.filter(({ status }) => status !== 'unknown');
  if (compared.length === 0 || compared.some(({ status }) => status === 'differs')) return [];
  const properties = compared.length === 1 ? '1 property' : `${compared.length} properties`;
  return [`environment: ${properties} compared, none differs`];
}

/** Number of names in a side's line. */
const MOST_NAMES = 6;

function sideLine(comparison: Comparison, side: Side, experiment: Experiment | null, text: ValueText): string {
  const captures = captureRows(comparison, side);
  const names = captures.slice(0, MOST_NAMES).map(({ name, leftOut, quality }) => {
    const marks = [
      ...(leftOut ? ['left out'] : []),
      ...(quality === undefined || quality.grade === 'good' ? [] : [describeQuality(quality)]),
    ];
    return marks.length === 0 ? name : `${name} (${marks.join('; ')})`;
  });
  const more = captures.length > MOST_NAMES ? `; and ${captures.length - MOST_NAMES} more` : '';
  const count = `${captures.length} ${captures.length === 1 ? 'capture' : 'captures'}`;
  const label = experiment?.[side].label ?? '';
  const total = totalText(comparison.whole[side], absoluteOf(comparison, side), text.value);
  return `${side.padEnd(6)}  ${label === '' ? '' : `${label}: `}${count}, ${total}${text.per}: ${names.join('; ')}${more}`;
}

/** Returns the largest changes, a sentence each. The answer says it if nothing moved. */
export function moverLines(
  comparison: Comparison,
  { movers, more }: TopMovers,
  text: ValueText,
  shown: (name: string) => string,
): string[] {
  const reason = reasonOf(comparison);
  return [
    ...movers.map(({ func, column, judgement }) =>
      changeSentence(shown(functionRef(comparison.matched.table, func).name), judgement, column, text, reason),
    ),
    ...(more > 0 ? [`and ${more} more changed`] : []),
  ];
}

interface JudgedColumn {
  readonly title: string;
  readonly cell: (judgement: Judgement) => string;
  readonly leaves?: number;
}

function judgedColumns(comparison: Comparison, text: ValueText, levels: string): JudgedColumn[] {
  const reason = reasonOf(comparison);
  return [
    {
      title: 'before',
      cell: ({ presence, before }) => (presence === 'only-after' ? '–' : text.column(before)),
      leaves: 3,
    },
    {
      title: 'after',
      cell: ({ presence, after }) => (presence === 'only-before' ? '–' : text.column(after)),
      leaves: 4,
    },
    { title: 'Δ', cell: ({ delta }) => text.columnDelta(delta) },
    { title: `±${levels}`, cell: (judgement) => marginCell(judgement, text), leaves: 2 },
    { title: 'Δ %', cell: (judgement) => relativeText(judgement, text), leaves: 5 },
    { title: 'Δ of all', cell: (judgement) => ofAll(judgement, comparison), leaves: 1 },
    { title: 'verdict', cell: (judgement) => judgementText(judgement, reason), leaves: 6 },
  ];
}

function tableLines({ rows, rowLimit, metric, width, comparison }: DiffText, text: ValueText): string[] {
  const shown = rows.slice(0, rowLimit);
  if (shown.length === 0) return ['no function to show'];
  const shorten = (row: number, room: number): string => functionTitle(shown[row]!, room);
  const columns: TableColumn[] = [
    ...judgedColumns(comparison, text, levelsText(shown.map((row) => row[metric].level))).map(
      ({ cell, ...column }): TableColumn => ({
        ...column,
        cells: shown.map((row) => cell(row[metric])),
        align: 'right',
      }),
    ),
    {
      title: `function [module], ${metric}${text.per}`,
      cells: shown.map((_, row) => shorten(row, Infinity)),
      shorten,
    },
  ];
  const left = rows.length - shown.length;
  return [
    ...fitTable(columns, width),
    ...(left > 0 ? [`and ${countText(left, 'more function')} (-n 0 shows all)`] : []),
  ];
}

/** Returns half the width of the interval. */
const marginCell = ({ interval }: Judgement, text: ValueText): string =>
  interval === null ? '' : `±${text.columnReach(marginOf(interval))}`;

/** Returns the delta relative to the whole before, as `pprof -diff_base` does; `–` of a negative whole. */
const ofAll = ({ delta }: Judgement, { whole }: Comparison): string =>
  english.share(delta, Math.max(0, whole.before), { sign: 'always' });

/** Share of the whole below which the number of runs that would prove a change is not reported. */
const LEAST_SHARE = 0.01;

/** Returns whether more runs are worthwhile: the function differs, nothing is proved yet, and it is relevant. */
function isWorthMoreRuns({ presence, ...row }: DiffRow, metric: Metric, { whole }: Comparison): boolean {
  const { verdict, delta, before, after } = row[metric];
  const isCertain = isChange(verdict);
  const weight = Math.max(before, after) / Math.max(whole.before, whole.after);
  return presence === 'both' && !isCertain && delta !== 0 && weight >= LEAST_SHARE;
}

function footLines({ comparison, rules, rows, metric }: DiffText): string[] {
  const { matched, design, before, after, sizes } = comparison;
  const merged = matched.merges.map((rule) => `${rule.rule} merged ${rule.merges.length}`);
  const lacking = [
    `${countText(matched.onlyBefore.length, 'function')} only before`,
    `${english.number(matched.onlyAfter.length)} only after`,
  ];
  const rule = rulesText(rules);
  const missing = missingRuns({ before: before.captures.length, after: after.captures.length });
  const first = rows.find((row) => isWorthMoreRuns(row, metric, comparison));
  const advice = first === undefined ? null : comparison.advice(metric, first.func);
  return [
    `matching: ${[...lacking, ...merged].join(', ')}${rule === null ? '' : ` (${rule})`}`,
    ...(missing > 0 && design.sharesHost && sizes?.status !== 'unknown'
      ? [
          `for a verdict: record ${missing} more ${missing === 1 ? 'run' : 'runs'} a side (flamebench record --interleave)`,
        ]
      : []),
    ...(advice === null ? [] : [`${first!.name}: ${adviceText(advice, shortName(first!.name), metric, english)}`]),
  ];
}
