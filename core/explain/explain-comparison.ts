import { functionRef } from '../analyze/function-ref.ts';
import { shortenMiddle } from '../analyze/function-label.ts';
import type { Comparison } from '../compare/comparison.ts';
import { buildDeltaTree } from '../compare/delta-tree.ts';
import { comparisonAnswer } from '../compare/describe-answer.ts';
import { adviceText, describeChange } from '../compare/describe-change.ts';
import { byLead, methodText } from '../compare/describe-comparison.ts';
import { SIZE_CODE, wholeSentence } from '../compare/describe-sizes.ts';
import { rankFunctions } from '../compare/rank-functions.ts';
import { topMovers, type Mover } from '../compare/top-movers.ts';
import { createValueText, type ValueText } from '../compare/value-text.ts';
import { maybeReason, runCounts } from '../compare/verdict-words.ts';
import { countText, createFormatter } from '../units/format.ts';
import { otherCauses, EXPLAINED_CODES } from './other-causes.ts';
import type { RunOrder } from './run-order.ts';
import type { Claim, EnvironmentLine, Explanation } from './explanation.ts';
import type { Side } from '../contract/side.ts';

/** More claims than a reader remembers. */
const MOST_CLAIMS = 5;
const LONGEST_NAME = 100;
/** Share of the whole from which a function that is not decided is worth more runs. */
const LEAST_SHARE = 0.01;

const english = createFormatter('en');

/** Explains a comparison: what changed, what it rests on, which other causes remain, and what is not decided. */
export function explainComparison(comparison: Comparison, order: RunOrder): Explanation {
  const { whole, normalised, design, before } = comparison;
  const text = createValueText('en', normalised, Math.max(whole.before, whole.after));
  const top = topMovers(comparison, buildDeltaTree(comparison), MOST_CLAIMS);
  const reason = maybeReason(design, runCounts(design));
  const { type, unit } = before.captures[0]!.valueType;
  const all: Claim = {
    handle: null,
    text: wholeSentence(comparison, text, reason).replace(/\.$/, ''),
    spread: hasOwnSize(comparison) ? wholeSpread(comparison, text) : null,
    verdict: normalised.kind === 'share' ? null : (whole.withheld ?? whole.verdict),
  };
  const claims = top.movers.map((mover) => claimOf(mover, comparison, text, reason));
  return {
    answer: comparisonAnswer(comparison, top, (name) => shortenMiddle(name, LONGEST_NAME), text),
    claims: [all, ...claims],
    basis: [
      `before: ${sideText(comparison, 'before')}`,
      `after: ${sideText(comparison, 'after')}`,
      `values: ${type} (${unit}), ${normalised.kind}: ${normalised.formula}`,
      `verdicts: ${methodText(design, runCounts(design))}`,
    ],
    environment: comparison.circumstances.map(environmentLine),
    alternatives: otherCauses(comparison, top.movers[0] ?? null, order, text),
    doubts: doubtsOf(comparison, top.more),
  };
}

/** Returns whether the whole says anything: by share it is 100 % on both sides, and of other sizes it is not decided. */
const hasOwnSize = ({ sizes, normalised }: Comparison): boolean =>
  normalised.kind !== 'share' && (sizes === null || sizes.status === 'same');

function claimOf(
  { func, column, judgement }: Mover,
  comparison: Comparison,
  text: ValueText,
  reason: string | null,
): Claim {
  const { name, module } = functionRef(comparison.matched.table, func);
  const { headline, detail } = describeChange(judgement, column, text, reason);
  return {
    handle: {
      function: name,
      module,
      metric: column,
      side: judgement.presence === 'only-before' ? 'before' : 'after',
    },
    text: `${headline}: ${detail}`,
    spread: spreadText((side) => runValues(comparison, column, side, func), text),
    verdict: judgement.withheld ?? judgement.verdict,
  };
}

function wholeSpread(comparison: Comparison, text: ValueText): string | null {
  return spreadText((side) => runValues(comparison, 'whole', side, 0), text);
}

/** Returns the values of a function, or of the whole (0), in the runs that count, in the unit of its judgement. */
function runValues(
  { metrics, design }: Comparison,
  metric: 'self' | 'total' | 'whole',
  side: Side,
  func: number,
): number[] {
  const { captures, value } = metrics[metric][side];
  return design[side].groups.flat().map((place) => value[func * captures.length + place]!);
}

/** Describes how far runs are apart: `5 runs before: 408 µs to 417 µs; 5 after: 455 µs to 470 µs; no overlap`. */
function spreadText(valuesOf: (side: Side) => readonly number[], text: ValueText): string | null {
  const [before, after] = [valuesOf('before'), valuesOf('after')];
  // Single runs are in the claim.
  if (before.length < 2 && after.length < 2) return null;
  const range = (values: readonly number[]): string =>
    `${text.value(Math.min(...values))} to ${text.value(Math.max(...values))}`;
  const isApart = Math.max(...before) < Math.min(...after) || Math.max(...after) < Math.min(...before);
  return `${countText(before.length, 'run')} before: ${range(before)}; ${countText(after.length, 'run')} after: ${range(after)}; ${isApart ? 'no overlap' : 'they overlap'}`;
}

const MOST_NAMES = 6;

function sideText(comparison: Comparison, side: Side): string {
  const { captures, parts } = comparison[side];
  const names = captures.map(({ facts }) => facts.name);
  const shown = names.slice(0, MOST_NAMES).map((name, place) => (parts[place] === 0 ? `${name} (left out)` : name));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${countText(names.length, 'capture')}: ${shown.join(', ')}${more}`;
}

export function environmentLine({
  label,
  before,
  after,
  status,
}: Comparison['circumstances'][number]): EnvironmentLine {
  if (status === 'same') return { label, text: before === after ? before! : `${before} before, ${after} after` };
  if (status === 'differs') return { label, text: `${before ?? '?'} → ${after ?? '?'}` };
  return { label, text: `${before ?? after} (${before === null ? 'after' : 'before'} only)` };
}

/** Says what the numbers do not show, the most important first. */
function doubtsOf(comparison: Comparison, more: number): string[] {
  const { leading, others } = byLead(comparison.warnings);
  const warnings = [...leading, ...others].filter(({ code }) => code !== SIZE_CODE && !EXPLAINED_CODES.test(code));
  const untested = comparison.self.filter(
    ({ verdict, before, after }) => verdict === 'not-tested' && before + after > 0,
  );
  const { matched } = comparison;
  return [
    ...warnings.map(({ message }) => message),
    ...(more > 0
      ? [`${countText(more, 'more function')} changed and ${more === 1 ? 'is' : 'are'} not listed here.`]
      : []),
    ...(untested.length > 0
      ? [
          `${countText(untested.length, 'function')} with fewer than ${Math.max(1, comparison.design.leastSamples)} samples on both sides together ${untested.length === 1 ? 'was' : 'were'} not tested; that is not the same as unchanged.`,
        ]
      : []),
    ...(matched.onlyBefore.length + matched.onlyAfter.length > 0
      ? [
          `${countText(matched.onlyBefore.length, 'function')} only before and ${english.number(matched.onlyAfter.length)} only after have no counterpart.`,
        ]
      : []),
    ...adviceOf(comparison),
  ];
}

/** Returns what more runs would show of the first function that has weight and no verdict. */
function adviceOf(comparison: Comparison): string[] {
  const open = rankFunctions(comparison, 'self').find(
    (row) =>
      row.presence === 'both' &&
      row.self.delta !== 0 &&
      row.self.verdict !== 'grew' &&
      row.self.verdict !== 'shrank' &&
      Math.max(row.self.before, row.self.after) >=
        LEAST_SHARE * Math.max(comparison.whole.before, comparison.whole.after),
  );
  const advice = open === undefined ? null : comparison.advice('self', open.func);
  if (open === undefined || advice === null) return [];
  const name = shortenMiddle(open.name, LONGEST_NAME);
  return [`${name} has no verdict. ${adviceText(advice, name, 'self', english)}`];
}
