import { FunctionKind, type FunctionTable } from '../model/profile.ts';
import { isBeyond, isCut } from '../model/quality-grade.ts';
import { formatShare } from '../units/format.ts';
import type { CaptureFacts } from './measure/capture-facts.ts';
import type { CompareWarning } from './compare-refusal.ts';
import type { Judgement, Withheld } from './statistics/judge.ts';

interface Judged {
  readonly self: readonly Judgement[];
  readonly total: readonly Judgement[];
}

/**
 * The judgements without the verdicts that the captures can't support: functions without a symbol where they are many, and totals that
 * differ from selves where stacks lack callers. Their numbers stay; the verdict is unknown, with the reason, and warnings say so.
 */
export function withholdVerdicts(
  judged: Judged,
  captures: readonly CaptureFacts[],
  { kind }: Pick<FunctionTable, 'kind'>,
): Judged & { readonly warnings: readonly CompareWarning[] } {
  const { unnamed, cut } = poorCaptures(captures);
  const isUnnamed = (func: number): boolean => unnamed.length > 0 && kind[func] === FunctionKind.unresolved;
  const self = judged.self.map((of, func) => (isUnnamed(func) ? withhold(of, 'no symbol') : of));
  const total = judged.total.map((of, func) => {
    if (isUnnamed(func)) return withhold(of, 'no symbol');
    return cut.length > 0 && of !== judged.self[func] ? withhold(of, 'truncated stacks') : of;
  });
  return { self, total, warnings: [...unnamedWarning(unnamed), ...cutWarning(cut)] };
}

/**
 * The same for totals of call paths; `func`: of each one's last frame. A path is its callers, so none is judged where stacks lack them.
 */
export function withholdPaths(
  judgements: readonly Judgement[],
  func: ArrayLike<number>,
  captures: readonly CaptureFacts[],
  { kind }: Pick<FunctionTable, 'kind'>,
): readonly Judgement[] {
  const { unnamed, cut } = poorCaptures(captures);
  if (unnamed.length + cut.length === 0) return judgements;
  return judgements.map((of, place) => {
    if (unnamed.length > 0 && kind[func[place]!] === FunctionKind.unresolved) return withhold(of, 'no symbol');
    return cut.length > 0 ? withhold(of, 'truncated stacks') : of;
  });
}

/** The captures whose functions without a symbol, and whose totals, support no verdict. */
const poorCaptures = (captures: readonly CaptureFacts[]) => ({
  unnamed: captures.filter(({ quality }) => quality !== undefined && isBeyond(quality, 'unresolved')),
  cut: captures.filter(({ quality }) => quality !== undefined && isCut(quality)),
});

/** What did not change at all needs no proof. */
const withhold = (of: Judgement, reason: Withheld): Judgement =>
  of.delta === 0 ? of : { ...of, verdict: 'unknown', withheld: reason };

function unnamedWarning(captures: readonly CaptureFacts[]): CompareWarning[] {
  if (captures.length === 0) return [];
  const share = Math.max(...captures.map(({ quality }) => quality?.unresolved ?? 0));
  const message = `Functions without a symbol get no verdict: they have up to ${formatShare(share, 1)} of the weight of ${namesOf(captures)}. Install debug symbols and record again.`;
  return [{ code: 'withheld-unresolved', message }];
}

function cutWarning(captures: readonly CaptureFacts[]): CompareWarning[] {
  if (captures.length === 0) return [];
  const share = Math.max(...captures.map(({ quality }) => (quality?.unrooted ?? 0) + (quality?.truncated ?? 0)));
  const message = `Totals of callers get no verdict: up to ${formatShare(share, 1)} of the stacks of ${namesOf(captures)} are truncated. Compare by self, or record again with --call-graph dwarf.`;
  return [{ code: 'withheld-totals', message }];
}

const namesOf = ([first, ...others]: readonly CaptureFacts[]): string =>
  `${first?.name ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`;
