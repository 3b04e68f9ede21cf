import { exactFunctionStats, sumsAreExact } from '#core/analyze/exact-stats.ts';
import { functionStats, rankFunctions } from '#core/analyze/function-stats.ts';
import type { Selection } from '#core/analyze/stack-view.ts';
import type { SetTransform } from '#core/analyze/transforms.ts';
import { viewStacks } from '#core/analyze/view-stacks.ts';
import type { Profile, ValueType } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';

/** A weight; a bigint where it is beyond 2^53. */
export type ExactWeight = number | bigint;

/** What `flamebench top` prints. */
export interface TopReport {
  readonly format: string;
  readonly valueType: ValueType;
  readonly total: ExactWeight;
  readonly hidden: number;
  readonly withoutStack: number;
  readonly sampleCount: number;
  readonly sort: 'self' | 'total';
  readonly functionCount: number;
  /** The first of them, sorted. */
  readonly functions: readonly TopRow[];
}

export interface TopRow {
  readonly name: string;
  readonly module: string;
  readonly file: string;
  readonly self: ExactWeight;
  readonly total: ExactWeight;
}

/** `rowLimit` may be Infinity. */
export function computeTop(
  profile: Profile,
  selection: Selection,
  transforms: readonly SetTransform[],
  sort: 'self' | 'total',
  rowLimit: number,
): TopReport {
  const { strings, functions } = profile;
  const view = viewStacks(profile, selection, transforms);
  const stats = functionStats(view);
  const exact = sumsAreExact(sampleWeights(profile, selection.valueType))
    ? null
    : exactFunctionStats(profile, selection, transforms);
  const rows = Array.from(rankFunctions(stats, sort).subarray(0, rowLimit), (row): TopRow => {
    const func = stats.func[row]!;
    const sums = exact?.byFunction.get(func);
    return {
      name: strings[functions.name[func]!]!,
      module: strings[functions.module[func]!]!,
      file: strings[functions.file[func]!]!,
      self: exactWeight(sums?.self ?? stats.self[row]!),
      total: exactWeight(sums?.total ?? stats.total[row]!),
    };
  });
  return {
    format: profile.metadata.format,
    valueType: profile.valueTypes[selection.valueType]!,
    total: exactWeight(exact?.total ?? view.total),
    hidden: view.hidden,
    withoutStack: view.withoutStack,
    sampleCount: view.sampleCount,
    sort,
    functionCount: stats.length,
    functions: rows,
  };
}

/** A number wherever a number is exact. */
function exactWeight(sum: ExactWeight): ExactWeight {
  return typeof sum === 'bigint' && Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}
