import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { HEAVY_SHARE } from '#core/compare/statistics/false-discovery.ts';
import type { FamilyJudgement } from '#core/compare/statistics/judge-family.ts';
import { isRelative } from '#core/compare/statistics/judge-by-size.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import { runsToDecide } from '#core/compare/statistics/runs-needed.ts';
import { contrastOf } from '#core/load/fail-condition.ts';
import { usageError } from '../errors.ts';
import type { FailCondition } from './fail-condition.ts';
import { SIDES } from '#core/contract/side.ts';

/**
 * How a function relates to a condition's limit. `beyond` and `within`: its whole interval is on that side.
 * `undecided`: the interval contains the limit, there is none, these runs cannot decide, the limit is a percentage of a
 * negative value, or load or machine may have changed the value: a change relative to the typical function may be
 * beyond the limit, but is never within it.
 */
type EvidenceState = 'beyond' | 'within' | 'undecided';

/** A function that a condition's pattern matches. */
export interface Evidence {
  readonly name: string;
  readonly module: string;
  /** Its judgement on the condition's metric, from the whole comparison. */
  readonly judgement: Judgement;
  /** Its judgement within the condition's own family of tests. */
  readonly family: FamilyJudgement;
  readonly state: EvidenceState;
  /** In the condition's unit; infinite in percent if before is 0 or negative. */
  readonly change: number;
  /** In the condition's unit, at `family.level`; null if there is none, and in percent if before is 0 or negative. */
  readonly interval: readonly [number, number] | null;
  /** Total number of runs per side that would decide it; null if it is decided, or if no number can be given. */
  readonly runsToSettle: number | null;
}

/** `failed`: a function is beyond the limit. `inconclusive`: none is, and a relevant one is undecided or a side is empty. */
type ConditionStatus = 'failed' | 'inconclusive' | 'passed';

export interface ConditionResult {
  readonly condition: FailCondition;
  /** The comparison to which the changes refer: by share if the limit is in percentage points. */
  readonly comparison: Comparison;
  readonly status: ConditionStatus;
  /** All functions that the pattern matches, ordered by change in the condition's direction, largest first. */
  readonly matched: readonly Evidence[];
  readonly beyond: readonly Evidence[];
  /** Undecided functions that are relevant: with at least 2 % of either side, or the only match. */
  readonly undecided: readonly Evidence[];
  /** Number of undecided functions below that share. */
  readonly undecidedSmall: number;
  /**
   * Total number of runs per side that would decide all of `undecided`; null if it is empty or no number can be given.
   */
  readonly runsToSettle: number | null;
}

interface ConditionOptions {
  /** True if intervals within single runs decide as well. */
  readonly allowSingle: boolean;
  readonly patterns: PatternRunner;
  /** Returns the comparison of the same captures by share. */
  readonly shares: () => Promise<Comparison>;
}

/** Evaluates the conditions. Throws a usage error if a pattern matches nothing. */
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
    .map((family) => openIfGone(evidenceOf(condition, comparison, family, canDecide)))
    .sort((a, b) => sign * (b.change > a.change ? 1 : b.change < a.change ? -1 : 0));
  const beyond = matched.filter(({ state }) => state === 'beyond');
  const allUndecided = matched.filter(({ state }) => state === 'undecided');
  const isEmpty = SIDES.some((side) => comparison.whole[side] === 0);
  const undecided = allUndecided.filter(({ family }) => family.share >= HEAVY_SHARE || matched.length === 1);
  const runs = undecided.map((one) => one.runsToSettle);
  return {
    condition,
    comparison,
    status: beyond.length > 0 ? 'failed' : undecided.length > 0 || isEmpty ? 'inconclusive' : 'passed',
    matched,
    beyond,
    undecided,
    undecidedSmall: allUndecided.length - undecided.length,
    runsToSettle: runs.length === 0 || runs.includes(null) ? null : Math.max(...runs.map(Number)),
  };
}

/** Returns whether the limit is a percentage of a negative value, which has no meaning. */
export const isOfNegative = ({ unit }: FailCondition, { before }: Judgement): boolean => unit === '%' && before < 0;

/** Returns whether the function is gone after, so that it may have been renamed. */
export const isGone = ({ judgement }: Evidence): boolean => judgement.presence === 'only-before';

/** A function that is gone is never within the limit: under its other name it may be beyond. */
const openIfGone = (one: Evidence): Evidence =>
  one.state === 'within' && isGone(one) ? { ...one, state: 'undecided', runsToSettle: null } : one;

function evidenceOf(
  condition: FailCondition,
  comparison: Comparison,
  family: FamilyJudgement,
  canDecide: boolean,
): Evidence {
  const { name, module } = functionRef(comparison.matched.table, family.func);
  const judgement = comparison[condition.metric][family.func]!;
  const sign = condition.comparison === '>' ? 1 : -1;
  const isNegative = isOfNegative(condition, judgement);
  const isOpen = !canDecide || family.side === 0 || judgement.withheld !== undefined || isNegative;
  const isBeyond = !isOpen && family.side === sign;
  const { sizes } = comparison;
  const state =
    sizes?.status === 'unknown'
      ? 'undecided'
      : isBeyond
        ? 'beyond'
        : isOpen || isRelative(sizes)
          ? 'undecided'
          : ('within' as const);
  return {
    name,
    module,
    judgement,
    family,
    state,
    change: changeIn(condition, judgement),
    interval: intervalIn(condition, judgement, family),
    runsToSettle: state === 'undecided' && !isNegative ? settledBy(comparison, family, judgement) : null,
  };
}

/**
 * Returns the number of runs that would decide the condition. If these runs would decide it once variation between runs
 * is known, that is the minimum number of replicates.
 */
function settledBy({ design, sizes }: Comparison, family: FamilyJudgement, { withheld }: Judgement): number | null {
  // More runs of the same kind would not decide it.
  if (!design.sharesHost || withheld !== undefined || (sizes !== null && sizes.status !== 'same')) return null;
  if (!design.isReplicated && family.side !== 0) return LEAST_REPLICATES;
  return runsToDecide(design, family);
}

/** Matches the functions' names in the comparison and all names that rules merged into them. */
async function matchingFunctions(
  { text, pattern }: FailCondition,
  { matched: { table, merges }, whole }: Comparison,
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
  if (found.size > 0 || SIDES.some((side) => whole[side] === 0)) return [...found];
  throw usageError(`--fail-on ${text}: the pattern matches no function of either side`, 'check its spelling and case');
}

function changeIn({ unit }: FailCondition, { before, delta, relative }: Judgement): number {
  if (unit === 'abs') return delta;
  if (unit === 'pp') return 100 * delta;
  return before <= 0 && delta !== 0 ? Infinity * delta : 100 * (relative ?? 0);
}

/**
 * Converts the contrast's interval to one of the change. It excludes the limit exactly if the contrast's excludes 0.
 */
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
