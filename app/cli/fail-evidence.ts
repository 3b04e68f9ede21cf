import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/resolve-transforms.ts';
import { changeSentence, missingRuns, relativeText } from '#core/compare/describe-change.ts';
import type { Comparison } from '#core/compare/compare-functions.ts';
import type { Judgement } from '#core/compare/judge.ts';
import { createValueText, type ValueText } from '#core/compare/value-text.ts';
import { maybeReason, runCounts } from '#core/compare/verdict-words.ts';
import { usageError } from './errors.ts';
import { isBeyond, type FailCondition } from './fail-condition.ts';

/** A function that a condition's pattern matches. */
export interface Evidence {
  readonly name: string;
  readonly module: string;
  /** On the condition's metric. */
  readonly judgement: Judgement;
  /** In the condition's unit; infinite in per cent from nothing. */
  readonly change: number;
  readonly isBeyond: boolean;
  /** Its verdict lets it decide. */
  readonly counts: boolean;
}

export interface ConditionResult {
  readonly condition: FailCondition;
  /** What the changes are of: of shares where points are asked for. */
  readonly comparison: Comparison;
  /** A function is beyond the limit, and its verdict counts. */
  readonly isMet: boolean;
  /** Functions that the pattern matches. */
  readonly matched: number;
  /** Those beyond the limit; what counts first, then by size. */
  readonly evidence: readonly Evidence[];
  /** Of all that match, what went farthest the condition's way. */
  readonly farthest: Evidence;
}

export interface ConditionOptions {
  /** Suggestive changes count, too. */
  readonly allowSingle: boolean;
  readonly patterns: PatternRunner;
  /** The same captures, by share. */
  readonly shares: () => Promise<Comparison>;
}

/** What each condition finds. Throws a usage error where a pattern matches nothing. */
export async function judgeConditions(
  conditions: readonly FailCondition[],
  comparison: Comparison,
  options: ConditionOptions,
): Promise<ConditionResult[]> {
  const results: ConditionResult[] = [];
  for (const condition of conditions) {
    const own = condition.unit === 'pp' && comparison.normalised.kind !== 'share' ? await options.shares() : comparison;
    results.push(await judgeCondition(condition, own, options));
  }
  return results;
}

async function judgeCondition(
  condition: FailCondition,
  comparison: Comparison,
  { allowSingle, patterns }: ConditionOptions,
): Promise<ConditionResult> {
  const functions = await matchingFunctions(condition, comparison, patterns);
  const sign = condition.comparison === '>' ? 1 : -1;
  const found = functions
    .map((func): Evidence => {
      const { name, module } = functionRef(comparison.matched.table, func);
      const judgement = comparison[condition.metric][func]!;
      const change = changeIn(condition, judgement);
      const { verdict } = judgement;
      const counts = verdict === 'grew' || verdict === 'shrank' || (allowSingle && verdict === 'suggestive');
      return { name, module, judgement, change, isBeyond: isBeyond(condition, change), counts };
    })
    .sort((a, b) => sign * (b.change > a.change ? 1 : b.change < a.change ? -1 : 0));
  const evidence = found.filter((one) => one.isBeyond).sort((a, b) => Number(b.counts) - Number(a.counts));
  return {
    condition,
    comparison,
    isMet: evidence.some(({ counts }) => counts),
    matched: found.length,
    evidence,
    farthest: found[0]!,
  };
}

/** By the name that the comparison gives them, or by any that rules made it of. */
async function matchingFunctions(
  { text, pattern }: FailCondition,
  { matched: { table, merges } }: Comparison,
  patterns: PatternRunner,
): Promise<number[]> {
  const names: string[] = [];
  const funcs: number[] = [];
  const add = (func: number, name: string): void => {
    names.push(name);
    funcs.push(func);
  };
  for (let func = 0; func < table.functions.length; func++) add(func, functionRef(table, func).name);
  for (const { func, from } of merges.flatMap((rule) => rule.merges)) for (const { name } of from) add(func, name);
  const isMatch = await patterns.match(names, { pattern, ignoreCase: false });
  const found = new Set(funcs.filter((_, place) => isMatch[place] === 1));
  if (found.size > 0) return [...found];
  throw usageError(`--fail-on ${text}: the pattern matches no function of either side`, 'check its spelling and case');
}

function changeIn({ unit }: FailCondition, { before, delta, relative }: Judgement): number {
  if (unit === 'abs') return delta;
  if (unit === 'pp') return 100 * delta;
  return before === 0 && delta !== 0 ? Infinity * delta : 100 * (relative ?? 0);
}

/** Functions that a condition's lines name. */
const MOST_NAMED = 5;

/** What is to be said of a condition: who met it, or why nobody did. A line each. */
export function conditionLines({
  condition,
  comparison,
  isMet,
  matched,
  evidence,
  farthest,
}: ConditionResult): string[] {
  const text = createValueText('en', comparison.normalised, 0);
  const start = `--fail-on ${condition.text}`;
  if (isMet) {
    const deciding = evidence.filter(({ counts }) => counts);
    const more = deciding.length - MOST_NAMED;
    return [
      ...deciding
        .slice(0, MOST_NAMED)
        .map(
          ({ name, judgement }) =>
            `${start}: ${changeSentence(name, judgement, condition.metric, text, maybeReason(comparison.design, runCounts(comparison.design)))}`,
        ),
      ...(more > 0 ? [`${start}: and ${more} more ${more === 1 ? 'function' : 'functions'}`] : []),
    ];
  }
  const [beyond] = evidence;
  if (beyond !== undefined) return [`${start}: not met: ${heldBack(beyond, condition, comparison, text)}`];
  const size = `${changeText(farthest, condition, text)} (${farthest.judgement.verdict})`;
  const which =
    matched === 1 ? `${farthest.name}: ${size}` : `of ${matched} functions, ${farthest.name} went farthest: ${size}`;
  return [`${start}: not met; ${which}`];
}

/** Beyond the limit, but nothing that counts. */
function heldBack(
  evidence: Evidence,
  condition: FailCondition,
  { before, after }: Comparison,
  text: ValueText,
): string {
  const { name, judgement } = evidence;
  const change = `${name} changed by ${changeText(evidence, condition, text)}, but its verdict is ${judgement.verdict}`;
  if (judgement.verdict === 'noise') return change;
  const missing = missingRuns({ before: before.captures.length, after: after.captures.length });
  if (missing === 0) return change;
  const runs = `record ${missing} more ${missing === 1 ? 'run' : 'runs'} a side`;
  return `${change}; ${runs}${judgement.verdict === 'suggestive' ? ', or give --allow-single' : ''}`;
}

function changeText({ judgement }: Evidence, { unit }: FailCondition, text: ValueText): string {
  return unit === '%' ? relativeText(judgement, text) : text.delta(judgement.delta) + text.per;
}
