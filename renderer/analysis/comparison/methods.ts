import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Advice } from '#core/compare/statistics/advise-runs.ts';
import type { Metric } from '#core/compare/describe-change.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import type { SelectionDelta } from '#core/compare/measure/selection-delta.ts';
import type { SelfTestReport } from '#core/compare/statistics/self-test.ts';
import type { TopMovers } from '#core/compare/top-movers.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { WeightRange } from '../../../core/analyze/graph/weight-range.ts';
import type { OfRevision } from '../answer.ts';
import type { AnalysisMethods, ParamsOf, SourceTypes } from '../methods.ts';
import type {
  SideName,
  OpenedCapture,
  CompareQuestion,
  Compared,
  CompareSlice,
  ComparePathEntry,
  PathDetail,
  CompareAudit,
  CompareMatches,
  ComparePreview,
  RulePreview,
  UnionTree,
} from './protocol.ts';

/** All captures of both sides, as a source of comparisons. */
export interface ComparisonSource extends SourceTypes {
  readonly open: {
    /** What the library knows of it. */
    readonly document: CaptureDocument | null;
    /** Said in messages. */
    readonly name: string;
  };
  readonly opened: OpenedCapture;
  readonly held: { readonly capture: number };
  readonly question: CompareQuestion;
  readonly answer: Compared;
  readonly tree: UnionTree;
  readonly slice: CompareSlice;
  readonly pathEntry: ComparePathEntry;
  readonly matches: CompareMatches;
  readonly audit: CompareAudit;
  readonly summed: { readonly functions: Int32Array };
  readonly sums: SelectionDelta;
  /** `before`: those that are applied before it. */
  readonly previewed: OfRevision<{ readonly before: readonly NamedTransform[]; readonly transform: NamedTransform }>;
  readonly preview: ComparePreview;
  /** All captures of a side on top of one another, each from its own origin; whatever the time range. */
  readonly strip: { readonly side: SideName };
}

export type CompareParams = ParamsOf<AnalysisMethods<ComparisonSource>, 'analyze'>;

export interface CompareMethods extends AnalysisMethods<ComparisonSource> {
  /** Frees a capture that no side has any more. */
  forget: { params: { capture: number }; result: null };
  /** The part of one side's graph that shows in its middle what a part of the other's does, as wide; see `carryRange`. */
  'carry-range': {
    params: OfRevision<{ root: CallNodeIndex; range: WeightRange; from: SideName; to: SideName }>;
    result: WeightRange | null;
  };
  'describe-path': { params: OfRevision<{ node: CallNodeIndex; root: CallNodeIndex }>; result: PathDetail };
  'preview-rule': { params: OfRevision<{ rule: UserRule }>; result: RulePreview };
  movers: { params: OfRevision<{ most: number }>; result: TopMovers };
  /** `func`: the only one that is slowed down; null: the heaviest, one at a time. No report with too few captures. */
  'self-test': {
    params: OfRevision<{ slowdown: number; func: FunctionIndex | null }>;
    result: { readonly report: SelfTestReport | null; readonly captures: number };
  };
  advice: { params: OfRevision<{ func: FunctionIndex }>; result: Readonly<Record<Metric, Advice | null>> };
}

export type CompareMethod = keyof CompareMethods;
