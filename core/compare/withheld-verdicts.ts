import { FunctionKind, type FunctionTable } from '../model/profile.ts';
import { isBeyond, isCut, isSparse } from '../model/quality-grade.ts';
import { formatShare } from '../units/format.ts';
import type { CaptureFacts } from './measure/capture-facts.ts';
import type { CompareWarning } from './compare-warning.ts';
import type { Judgement, Withheld } from './statistics/judge.ts';

interface JudgedFunctions {
  readonly self: readonly Judgement[];
  readonly total: readonly Judgement[];
}

/**
 * Withholds the verdicts that the captures can't support: of functions without a symbol if there are many, and of
 * totals that differ from selves if stacks lack callers, of all if samples are missing. The numbers stay; the verdict becomes unknown with the reason,
 * and warnings say so.
 */
export function withholdVerdicts(
  judged: JudgedFunctions,
  captures: readonly CaptureFacts[],
  { kind }: Pick<FunctionTable, 'kind'>,
): JudgedFunctions & { readonly warnings: readonly CompareWarning[] } {
  const { unnamed, cut, sparse } = poorCaptures(captures);
  if (sparse.length > 0) {
    const none = (of: Judgement): Judgement => withhold(of, 'missing samples');
    return { self: judged.self.map(none), total: judged.total.map(none), warnings: sparseWarning(sparse) };
  }
  const isUnnamed = (func: number): boolean => unnamed.length > 0 && kind[func] === FunctionKind.unresolved;
  const self = judged.self.map((of, func) => (isUnnamed(func) ? withhold(of, 'no symbol') : of));
  const total = judged.total.map((of, func) => {
    if (isUnnamed(func)) return withhold(of, 'no symbol');
    return cut.length > 0 && of !== judged.self[func] ? withhold(of, 'truncated stacks') : of;
  });
  return { self, total, warnings: [...unnamedWarning(unnamed), ...cutWarning(cut)] };
}

/**
 * Does the same for totals of call paths; `func` is the last frame of each. A path consists of its callers, so none is
 * judged if stacks lack them.
 */
export function withholdPaths(
  judgements: readonly Judgement[],
  func: ArrayLike<number>,
  captures: readonly CaptureFacts[],
  { kind }: Pick<FunctionTable, 'kind'>,
): readonly Judgement[] {
  const { unnamed, cut, sparse } = poorCaptures(captures);
  if (sparse.length > 0) return judgements.map((of) => withhold(of, 'missing samples'));
  if (unnamed.length + cut.length === 0) return judgements;
  return judgements.map((of, place) => {
    if (unnamed.length > 0 && kind[func[place]!] === FunctionKind.unresolved) return withhold(of, 'no symbol');
    return cut.length > 0 ? withhold(of, 'truncated stacks') : of;
  });
}

/**
 * Returns the captures that support no verdict for functions without a symbol, those that support none for totals, and
 * those that support none at all.
 */
const poorCaptures = (captures: readonly CaptureFacts[]) => ({
  unnamed: captures.filter(({ quality }) => quality !== undefined && isBeyond(quality, 'unresolved')),
  cut: captures.filter(({ quality }) => quality !== undefined && isCut(quality)),
  sparse: captures.filter(({ quality }) => quality !== undefined && isSparse(quality)),
});

/** Withholds a verdict, unless the function did not change at all. */
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
  const message = `Totals of callers get no verdict: up to ${formatShare(share, 1)} of the stacks of ${namesOf(captures)} are truncated. Compare by self${longerStacks(captures)}.`;
  return [{ code: 'withheld-totals', message }];
}

function sparseWarning(captures: readonly CaptureFacts[]): CompareWarning[] {
  const share = Math.max(...captures.map(({ quality }) => quality?.lost ?? 0));
  const message = `Nothing gets a verdict: up to ${formatShare(share, 1)} of the samples of ${namesOf(captures)} are missing. Record again as the warnings of the capture say.`;
  return [{ code: 'withheld-missing', message }];
}

/** Returns how to record longer stacks with the tool that truncated them; empty if no way is known. */
function longerStacks(captures: readonly CaptureFacts[]): string {
  const isOf = (formats: readonly string[]): boolean =>
    captures.some(({ format }) => format !== undefined && formats.includes(format));
  if (isOf(['perf-script', 'perf-data'])) return ', or record again with --call-graph dwarf';
  // Go prints at most 100 frames of a stack as text; its profiles have 128 (runtime, GODEBUG=profstackdepth).
  if (isOf(['goroutines'])) return ', or compare goroutine profiles recorded with GODEBUG=profstackdepth=1024';
  return '';
}

const namesOf = ([first, ...others]: readonly CaptureFacts[]): string =>
  `${first?.name ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`;
