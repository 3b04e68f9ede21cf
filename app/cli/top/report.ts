import { exactFunctionStats, sumsAreExact } from '#core/analyze/tables/exact-stats.ts';
import { callGraph, type GraphNode } from '#core/analyze/tables/call-graph.ts';
import { absoluteTotal } from '#core/analyze/reading/absolute-total.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { ValueType } from '#core/model/profile.ts';
import { selectedWeights } from '#core/analyze/view/selected-weights.ts';
import { shownTime, type ShownTime } from '../input/choose-time.ts';
import type { ReadView } from '../input/read-view.ts';
import { heaviest, inlineMark, pprofCells, rowTitle, sortNodes, type PprofCells } from './pprof-table.ts';

/** A weight; a bigint if it exceeds 2^53. */
export type ExactWeight = number | bigint;

/** What `flamebench top` prints. */
export interface TopReport {
  readonly format: string;
  readonly valueType: ValueType;
  /** Shares are of this weight. */
  readonly whole: number;
  readonly total: ExactWeight;
  /** Sum of absolute weights. */
  readonly absolute: number;
  readonly hidden: number;
  /** Null if all of the time is shown. */
  readonly time: ShownTime | null;
  readonly transforms: readonly TopTransform[];
  readonly withoutStack: number;
  readonly sampleCount: number;
  /** Quality of the whole profile; null without samples. */
  readonly quality: CaptureQuality | null;
  /** Formats weights and shares in one unit for all rows. */
  readonly cells: PprofCells;
  readonly functionCount: number;
  /** The first rows in sorted order. */
  readonly functions: readonly TopRow[];
}

interface TopTransform {
  readonly description: string;
  readonly transform: NamedTransform;
  /** Null if switched off. */
  readonly found: number | null;
  readonly hidden: number;
}

interface TopRow {
  readonly name: string;
  readonly module: string;
  readonly file: string;
  /** Returns the title in at most `width` columns. */
  readonly title: (width: number) => string;
  readonly inline: ReturnType<typeof inlineMark>;
  readonly self: ExactWeight;
  readonly total: ExactWeight;
}

/** The part of what a command read that this prints. */
export interface TopView extends Pick<ReadView, 'recorded' | 'profile' | 'selection' | 'whole'> {
  readonly applied: Pick<ReadView['applied'], 'transforms' | 'resolved'>;
}

interface TopOptions {
  readonly sort: 'self' | 'total';
  /** May be Infinity. */
  readonly rowLimit: number;
  /** Number of lost samples in the capture's document. */
  readonly lost: number;
  readonly isRegrouped: boolean;
  readonly hasBase: boolean;
}

export function computeTop(
  { recorded, profile, selection, applied: { transforms, resolved }, whole }: TopView,
  { sort, rowLimit, lost, isRegrouped, hasBase }: TopOptions,
): { view: StackView; report: TopReport } {
  const view = buildStackView(profile, selection, resolved);
  const { strings, functions } = view.profile;
  const marks = profile.frames.inline.includes(1) ? inlineMarks(callGraph(profile, selection, resolved)) : null;
  const exact = sumsAreExact(selectedWeights(profile, selection).weights)
    ? null
    : exactFunctionStats(profile, selection, resolved);
  const stats = functionStats(view);
  const nodes = Array.from(stats.func, (func, row) => ({ func, self: stats.self[row]!, total: stats.total[row]! }));
  const shown = nodes.filter(({ self, total }) => self !== 0 || total !== 0);
  const sorted = sortNodes(heaviest(shown, sort, rowLimit), sort, ({ func }) =>
    rowTitle(view.profile, func, isRegrouped),
  );
  const rows = sorted.slice(0, rowLimit).map(({ func, self, total }): TopRow => {
    const sums = exact?.byFunction.get(func);
    return {
      name: strings[functions.name[func]!]!,
      module: strings[functions.module[func]!]!,
      file: strings[functions.file[func]!]!,
      title: (width) => rowTitle(view.profile, func, isRegrouped, width),
      inline: marks?.get(func) ?? '',
      self: exactWeight(sums?.self ?? self),
      total: exactWeight(sums?.total ?? total),
    };
  });
  const report: TopReport = {
    format: profile.metadata.format,
    valueType: profile.valueTypes[selection.valueType]!,
    whole,
    total: exactWeight(exact?.total ?? view.total),
    absolute: absoluteTotal(view),
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
    quality: hasBase ? null : captureQuality(recorded, { lost }),
    cells: pprofCells(shown, whole, profile.valueTypes[selection.valueType]!.unit),
    functionCount: shown.length,
    functions: rows,
  };
  return { view, report };
}

const inlineMarks = (nodes: readonly GraphNode[]): ReadonlyMap<number, TopRow['inline']> =>
  new Map(nodes.map((node) => [node.func, inlineMark(node)]));

/** Returns a number if it is exact. */
function exactWeight(sum: ExactWeight): ExactWeight {
  return typeof sum === 'bigint' && Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}
