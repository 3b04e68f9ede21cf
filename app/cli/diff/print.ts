import { shortenMiddle } from '#core/analyze/function-label.ts';
import { unknownCircumstances } from '#core/compare/circumstances.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import type { DeltaTree } from '#core/compare/delta-tree.ts';
import {
  adviceText,
  changeSentence,
  missingRuns,
  reachOf,
  relativeText,
  type Metric,
} from '#core/compare/describe-change.ts';
import { byLead, methodText, rulesText } from '#core/compare/describe-comparison.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { maybeReason, runCounts, judgementText } from '#core/compare/verdict-words.ts';
import { describeQuality } from '#core/model/quality-grade.ts';
import type { Experiment } from '#core/contract/experiment.ts';
import type { Side } from '#core/contract/schemas.ts';
import { createFormatter } from '#core/units/format.ts';
import { alignColumns, alignLeft } from '../output/align-columns.ts';
import { captureRows, type DiffRow } from './report.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { functionTitle } from '../output/function-title.ts';

export interface DiffText {
  readonly comparison: Comparison;
  readonly experiment: Experiment | null;
  readonly tree: DeltaTree;
  readonly rules: MatchRules;
  readonly metric: Metric;
  /** All that are asked for; `rowLimit` of them are printed. */
  readonly rows: readonly DiffRow[];
  readonly rowLimit: number;
  /** Columns of the terminal, or Infinity. */
  readonly width: number;
}

const english = createFormatter('en');

/** Movers that are told in sentences, and characters of their names. */
const MOST_MOVERS = 5;
const LONGEST_NAME = 100;

/** What is compared, how, what of it holds, and a table. */
export function diffAsText(report: DiffText): string {
  const { comparison, metric, rows } = report;
  const weights = rows.flatMap((row) => [row[metric].before, row[metric].after]);
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const text = createValueText('en', comparison.normalised, largest);
  const { leading, others } = byLead(comparison.warnings);
  const parts = [
    leading.map(({ message }) => `warning: ${message}`),
    headLines(report, text),
    circumstanceLines(comparison),
    others.map(({ message }) => `warning: ${message}`),
    moverLines(report, text),
  ];
  return [
    ...parts.flatMap((lines) => (lines.length === 0 ? [] : [...lines.map(escapeControls), ''])),
    ...tableLines(report, text),
    '',
    ...footLines(report).map(escapeControls),
    '',
  ].join('\n');
}

function headLines({ comparison, experiment }: DiffText, text: ValueText): string[] {
  const { normalised, design, whole } = comparison;
  const { type, unit } = comparison.before.captures[0]!.valueType;
  const captures = { before: comparison.before.captures.length, after: comparison.after.captures.length };
  return [
    ...(experiment === null ? [] : [`${experiment.name} (${experiment.id})`]),
    sideLine(comparison, 'before', experiment, text),
    sideLine(comparison, 'after', experiment, text),
    `${type} (${unit}), ${normalised.kind}: ${normalised.formula}`,
    ...(normalised.divisors.length === 0 ? [] : [`  ${normalised.divisors.join(', ')}`]),
    `verdicts: ${methodText(design, captures)}`,
    // Of shares, it is 100 % on both sides.
    ...(normalised.kind === 'share' ? [] : [`everything: ${wholeText(whole, text, reasonOf(comparison))}`]),
  ];
}

const reasonOf = ({ design }: Comparison): string | null => maybeReason(design, runCounts(design));

/** `457 ms → 364 ms per second, -93.6 ms ±49.8 ms -20.5 %: no clear change` */
function wholeText(whole: Judgement, text: ValueText, reason: string | null): string {
  const cells = [text.delta(whole.delta), reachCell(whole, text), relativeText(whole, text)];
  const change = cells.filter((cell) => cell !== '');
  return `${text.value(whole.before)} → ${text.value(whole.after)}${text.per}, ${change.join(' ')}: ${judgementText(whole, reason)}`;
}

/** The environment differences, as a table, and those that only one side knows. */
function circumstanceLines({ circumstances }: Comparison): string[] {
  const differing = circumstances.filter(({ status }) => status === 'differs');
  const unknown = unknownCircumstances(circumstances);
  const cells = differing.map(({ label, before, after }) => [`  ${label}`, before ?? '', after ?? '']);
  const compared = circumstances.length - circumstances.filter(({ status }) => status === 'unknown').length;
  return [
    ...(differing.length > 0 ? alignLeft(['environment differences', 'before', 'after'], cells) : []),
    ...(differing.length === 0 && compared > 0 ? [`environment: ${compared} properties compared, none differs`] : []),
    ...(unknown === null ? [] : [`environment ${unknown}`]),
  ];
}

/** Names that a side's line lists. */
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
  return `${side.padEnd(6)}  ${label === '' ? '' : `${label}: `}${count}, ${text.value(comparison.whole[side])}${text.per}: ${names.join('; ')}${more}`;
}

function moverLines({ comparison, tree }: DiffText, text: ValueText): string[] {
  const { movers, more } = topMovers(comparison, tree, MOST_MOVERS);
  if (movers.length === 0) return ['No change exceeds run-to-run noise.'];
  const { strings, functions } = comparison.matched.table;
  const reason = reasonOf(comparison);
  return [
    ...movers.map(({ func, column, judgement }) =>
      changeSentence(shortenMiddle(strings[functions.name[func]!]!, LONGEST_NAME), judgement, column, text, reason),
    ),
    ...(more > 0 ? [`and ${more} more changed`] : []),
  ];
}

/** Columns of a terminal that has room for all of the table's. */
const WIDE = 110;

interface TableColumn {
  readonly title: string;
  readonly cell: (judgement: Judgement) => string;
  /** Left out where there is little room. */
  readonly isExtra?: true;
}

function tableColumns(comparison: Comparison, text: ValueText): TableColumn[] {
  const reason = reasonOf(comparison);
  return [
    { title: 'before', cell: ({ presence, before }) => (presence === 'only-after' ? '–' : text.column(before)) },
    { title: 'after', cell: ({ presence, after }) => (presence === 'only-before' ? '–' : text.column(after)) },
    { title: 'Δ', cell: ({ delta }) => text.columnDelta(delta) },
    { title: '±', cell: (judgement) => reachCell(judgement, text), isExtra: true },
    { title: 'Δ %', cell: (judgement) => relativeText(judgement, text) },
    { title: 'Δ of all', cell: (judgement) => ofAll(judgement, comparison), isExtra: true },
    { title: 'verdict', cell: (judgement) => judgementText(judgement, reason) },
  ];
}

function tableLines({ rows, rowLimit, metric, width, comparison }: DiffText, text: ValueText): string[] {
  const shown = rows.slice(0, rowLimit);
  if (shown.length === 0) return ['no function to show'];
  const columns = tableColumns(comparison, text).filter(({ isExtra }) => width >= WIDE || !isExtra);
  const cells = shown.map((row) => columns.map(({ cell }) => cell(row[metric])));
  const titled = alignColumns(
    columns.map(({ title }) => title),
    cells,
  );
  const [titles, ...lines] = titled as [string, ...string[]];
  const left = rows.length - shown.length;
  return [
    `${titles}  function [module], ${metric}${text.per}`,
    ...lines.map((line, place) => `${line}  ${functionTitle(shown[place]!, width - titles.length - 2)}`),
    ...(left > 0 ? [`and ${english.number(left)} more ${left === 1 ? 'function' : 'functions'} (-n 0 shows all)`] : []),
  ];
}

/** Half of the interval. */
const reachCell = ({ interval }: Judgement, text: ValueText): string =>
  interval === null ? '' : `±${text.reach(reachOf(interval))}`;

/** Of everything before, as `pprof -diff_base` has it. */
const ofAll = ({ delta }: Judgement, { whole }: Comparison): string =>
  english.share(delta, whole.before, { sign: 'always' });

/** Of everything, below which nobody asks how many runs would prove a change. */
const LEAST_SHARE = 0.01;

/** It differs, nothing is proved yet, and it matters. */
function isWorthMoreRuns({ presence, ...row }: DiffRow, metric: Metric, { whole }: Comparison): boolean {
  const { verdict, delta, before, after } = row[metric];
  const isCertain = verdict === 'grew' || verdict === 'shrank';
  const weight = Math.max(before, after) / Math.max(whole.before, whole.after);
  return presence === 'both' && !isCertain && delta !== 0 && weight >= LEAST_SHARE;
}

function footLines({ comparison, rules, rows, metric }: DiffText): string[] {
  const { matched, design, before, after } = comparison;
  const merged = matched.merges.map((rule) => `${rule.rule} merged ${rule.merges.length}`);
  const lacking = [`${matched.onlyBefore.length} functions only before`, `${matched.onlyAfter.length} only after`];
  const rule = rulesText(rules);
  const missing = missingRuns({ before: before.captures.length, after: after.captures.length });
  const first = rows.find((row) => isWorthMoreRuns(row, metric, comparison));
  const advice = first === undefined ? null : comparison.advice(metric, first.func);
  return [
    `matching: ${[...lacking, ...merged].join(', ')}${rule === null ? '' : ` (${rule})`}`,
    ...(missing > 0 && design.sharesHost
      ? [
          `for a verdict: record ${missing} more ${missing === 1 ? 'run' : 'runs'} a side (flamebench record --interleave)`,
        ]
      : []),
    ...(advice === null
      ? []
      : [`${first!.name}: ${adviceText(advice, shortenMiddle(first!.name, LONGEST_NAME), metric, english)}`]),
  ];
}
