import { exactFunctionStats, sumsAreExact } from '#core/analyze/tables/exact-stats.ts';
import { functionStats, rankFunctions } from '#core/analyze/tables/function-stats.ts';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Selection, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { Profile, ValueType } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import type { AppliedTransforms } from '../input/apply-transforms.ts';
import { shownTime, type ShownTime } from '../input/choose-time.ts';

/** A weight; a bigint where it is beyond 2^53. */
export type ExactWeight = number | bigint;

/** What `flamebench top` prints. */
export interface TopReport {
  readonly format: string;
  readonly valueType: ValueType;
  readonly total: ExactWeight;
  readonly hidden: number;
  /** Null: all of it. */
  readonly time: ShownTime | null;
  readonly transforms: readonly TopTransform[];
  readonly withoutStack: number;
  readonly sampleCount: number;
  /** Of the whole profile; null without samples. */
  readonly quality: CaptureQuality | null;
  readonly sort: 'self' | 'total';
  readonly functionCount: number;
  /** The first of them, sorted. */
  readonly functions: readonly TopRow[];
}

export interface TopTransform {
  readonly description: string;
  readonly transform: NamedTransform;
  /** Null: switched off. */
  readonly found: number | null;
  readonly hidden: number;
}

export interface TopRow {
  readonly name: string;
  readonly module: string;
  readonly file: string;
  readonly self: ExactWeight;
  readonly total: ExactWeight;
}

/** `rowLimit` may be Infinity. `lost`: samples, as the capture's document says. */
export function computeTop(
  profile: Profile,
  selection: Selection,
  { transforms, resolved }: AppliedTransforms,
  sort: 'self' | 'total',
  rowLimit: number,
  lost: number,
): { view: StackView; report: TopReport } {
  const view = buildStackView(profile, selection, resolved);
  const { strings, functions } = view.profile;
  const stats = functionStats(view);
  const exact = sumsAreExact(sampleWeights(profile, selection.valueType))
    ? null
    : exactFunctionStats(profile, selection, resolved);
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
  const report: TopReport = {
    format: profile.metadata.format,
    valueType: profile.valueTypes[selection.valueType]!,
    total: exactWeight(exact?.total ?? view.total),
    hidden: view.hidden,
    time: shownTime(view),
    transforms: transforms.map((transform, index) => ({
      description: describeTransform(transform),
      transform,
      found: resolved.found[index] ?? null,
      hidden: view.hiddenBy[index] ?? 0,
    })),
    withoutStack: view.withoutStack,
    sampleCount: view.sampleCount,
    quality: captureQuality(profile, { lost }),
    sort,
    functionCount: stats.length,
    functions: rows,
  };
  return { view, report };
}

/** A number wherever a number is exact. */
function exactWeight(sum: ExactWeight): ExactWeight {
  return typeof sum === 'bigint' && Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}
