import type { FunctionIndex, ThreadIndex } from '../../model/brand.ts';
import type { Profile } from '../../model/profile.ts';
import { absoluteTotal } from '../reading/absolute-total.ts';
import type { FunctionStats, Selection, StackView } from '../view/stack-view.ts';
import { shownWeights } from '../tables/stack-weights.ts';
import type { PatternRunner } from '../transforms/resolve-transforms.ts';
import type { ResolvedTransforms } from '../view/transforms.ts';
import type { KindRule } from './kind-rules.ts';
import { kindShares, matchKindRules, type KindShare } from './kind-shares.ts';

/** Where a view's weight goes. Weights are in the value type's unit; shares are of `total`. */
export interface Summary {
  readonly total: number;
  /** See `absoluteTotal`. */
  readonly absolute: number;
  readonly sampleCount: number;
  /** By self weight, heaviest first. */
  readonly functions: readonly { readonly func: FunctionIndex; readonly self: number }[];
  /** Functions with self weight. */
  readonly functionCount: number;
  readonly kinds: readonly KindShare[];
  /** By weight, heaviest first. */
  readonly threads: readonly { readonly thread: ThreadIndex; readonly weight: number }[];
  /** Threads with weight. */
  readonly threadCount: number;
}

/** Maximum rows listed of functions, of a kind's functions and of threads. */
const MOST = { functions: 5, ofKind: 5, threads: 5 };

interface Summarised {
  /** The profile as read under the transforms. */
  readonly profile: Profile;
  readonly selection: Selection;
  readonly resolved: ResolvedTransforms | null;
  readonly view: StackView;
  readonly stats: FunctionStats;
  /** Names of the view's functions, by index. */
  readonly names: readonly string[];
}

/** Summarises a view. Rejects with what `patterns` throws. */
export async function summarise(
  { profile, selection, resolved, view, stats, names }: Summarised,
  rules: readonly KindRule[],
  patterns: PatternRunner,
): Promise<Summary> {
  const matched = await matchKindRules(view, names, rules, patterns);
  const rows = [...stats.func.keys()].filter((row) => stats.self[row] !== 0);
  rows.sort((a, b) => stats.self[b]! - stats.self[a]! || stats.func[a]! - stats.func[b]!);
  const threads = threadWeights(profile, shownWeights(profile, selection, resolved));
  return {
    total: view.total,
    absolute: absoluteTotal(view),
    sampleCount: view.sampleCount,
    functions: rows
      .slice(0, MOST.functions)
      .map((row) => ({ func: stats.func[row]! as FunctionIndex, self: stats.self[row]! })),
    functionCount: rows.length,
    kinds: kindShares(view, rules, matched, MOST.ofKind),
    threads: threads.slice(0, MOST.threads),
    threadCount: threads.length,
  };
}

function threadWeights({ samples, threads }: Profile, weights: Float64Array): Summary['threads'] {
  const sums = new Float64Array(threads.length);
  for (let sample = 0; sample < weights.length; sample++) sums[samples.thread[sample]!]! += weights[sample]!;
  return [...sums.keys()]
    .filter((thread) => sums[thread] !== 0)
    .sort((a, b) => sums[b]! - sums[a]! || a - b)
    .map((thread) => ({ thread: thread as ThreadIndex, weight: sums[thread]! }));
}
