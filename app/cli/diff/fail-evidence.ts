import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { HEAVY_SHARE } from '#core/compare/statistics/false-discovery.ts';
import type { FamilyJudgement } from '#core/compare/statistics/judge-family.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import { runsNeeded, runsSoFar } from '#core/compare/statistics/runs-needed.ts';
import type { Contrast } from '#core/compare/statistics/test-row.ts';
import { usageError } from '../errors.ts';
import type { FailCondition } from './fail-condition.ts';

/**
 * Where a function stands to a condition's limit. beyond, within: its whole interval lies there. undecided: it holds the limit, there is
 * none, or these runs can't decide.
 */
export type EvidenceState = 'beyond' | 'within' | 'undecided';

/** A function that a condition's pattern matches. */
export interface Evidence {
  readonly name: string;
  readonly module: string;
  /** On the condition's metric, as the whole comparison has it. */
  readonly judgement: Judgement;
  /** As a member of the condition's own family. */
  readonly family: FamilyJudgement;
  readonly state: EvidenceState;
  /** In the condition's unit; infinite in per cent from nothing. */
  readonly change: number;
  /** In the condition's unit, of `family.level`; null where there is none, and in per cent from nothing. */
  readonly interval: readonly [number, number] | null;
  /** Runs a side, in all, that would decide it; null where it is decided, or nobody can tell. */
  readonly runsToSettle: number | null;
}

/** failed: a function is beyond. inconclusive: none is, and one that matters is undecided. */
export type ConditionStatus = 'failed' | 'inconclusive' | 'passed';

export interface ConditionResult {
  readonly condition: FailCondition;
  /** What the changes are of: of shares where points are asked for. */
  readonly comparison: Comparison;
  readonly status: ConditionStatus;
  /** All functions that the pattern matches: what went farthest the condition's way first. */
  readonly matched: readonly Evidence[];
  readonly beyond: readonly Evidence[];
  /** Undecided ones that matter: with 2 % or more of either side, or the only one that matched. */
  readonly undecided: readonly Evidence[];
  /** Undecided ones that have less. */
  readonly undecidedSmall: number;
  /** Runs a side, in all, that would decide every one of `undecided`; null where there is none, or no number can be named. */
  readonly runsToSettle: number | null;
}

export interface ConditionOptions {
  /** Intervals within these runs decide, too. */
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
  const canDecide = comparison.design.isReplicated || allowSingle;
  const matched = comparison
    .judgeFamily(condition.metric, functions, contrastOf(condition))
    .map((family) => evidenceOf(condition, comparison, family, canDecide))
    .sort((a, b) => sign * (b.change > a.change ? 1 : b.change < a.change ? -1 : 0));
  const beyond = matched.filter(({ state }) => state === 'beyond');
  const allUndecided = matched.filter(({ state }) => state === 'undecided');
  const undecided = allUndecided.filter(({ family }) => family.share >= HEAVY_SHARE || matched.length === 1);
  const runs = undecided.map((one) => one.runsToSettle);
  return {
    condition,
    comparison,
    status: beyond.length > 0 ? 'failed' : undecided.length > 0 ? 'inconclusive' : 'passed',
    matched,
    beyond,
    undecided,
    undecidedSmall: allUndecided.length - undecided.length,
    runsToSettle: runs.length === 0 || runs.includes(null) ? null : Math.max(...runs.map(Number)),
  };
}

/** A change beyond the limit makes it positive with `>`, negative with `<`. */
function contrastOf({ unit, limit }: FailCondition): Contrast {
  if (unit === '%') return { factor: 1 + limit / 100, offset: 0 };
  return { factor: 1, offset: unit === 'pp' ? limit / 100 : limit };
}

function evidenceOf(
  condition: FailCondition,
  comparison: Comparison,
  family: FamilyJudgement,
  canDecide: boolean,
): Evidence {
  const { name, module } = functionRef(comparison.matched.table, family.func);
  const judgement = comparison[condition.metric][family.func]!;
  const sign = condition.comparison === '>' ? 1 : -1;
  const isOpen = !canDecide || family.side === 0 || judgement.withheld !== undefined;
  const state = isOpen ? 'undecided' : family.side === sign ? 'beyond' : ('within' as const);
  return {
    name,
    module,
    judgement,
    family,
    state,
    change: changeIn(condition, judgement),
    interval: intervalIn(condition, judgement, family),
    runsToSettle: state === 'undecided' ? settledBy(comparison, family, judgement) : null,
  };
}

/** What these runs would decide, were they only enough to see what differs between runs, takes the least that are. */
function settledBy({ design }: Comparison, family: FamilyJudgement, { withheld }: Judgement): number | null {
  // What the captures can't show, more of them can't either.
  if (!design.sharesHost || withheld !== undefined) return null;
  if (!design.isReplicated && family.side !== 0) return LEAST_REPLICATES;
  const { contrast, evidence } = family;
  if (evidence === null || contrast === 0) return null;
  return runsNeeded(design, evidence, Math.abs(contrast), Math.max(LEAST_REPLICATES, runsSoFar(design) + 1));
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

/** From the contrast back to the change: it leaves out the limit exactly where the contrast's leaves out 0. */
function intervalIn(
  { unit, limit }: FailCondition,
  { before }: Judgement,
  { interval }: FamilyJudgement,
): readonly [number, number] | null {
  if (interval === null) return null;
  const [low, high] = interval;
  if (unit === 'abs') return [low + limit, high + limit];
  if (unit === 'pp') return [100 * low + limit, 100 * high + limit];
  return before > 0 ? [(100 * low) / before + limit, (100 * high) / before + limit] : null;
}
