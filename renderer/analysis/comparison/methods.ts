import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Advice } from '#core/compare/statistics/advise-runs.ts';
import type { Metric } from '#core/compare/statistics/judge.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import type { SelectionDelta } from '#core/compare/selection-delta.ts';
import type { SelfRequest, SelfWeights } from '#core/analyze/graph/flame-slice.ts';
import type { SelfTestReport } from '#core/compare/statistics/self-test.ts';
import type { TopMovers } from '#core/compare/top-movers.ts';
import type { FactsDocument } from '#core/compare/measure/read-facts.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { WeightRange } from '../../../core/analyze/graph/weight-range.ts';
import type { OfRevision } from '../answer.ts';
import type { AnalysisMethods, ParamsOf, SourceTypes } from '../methods.ts';
import type { ReportChoice, ReportFileChoice, ReportPreview } from '../profile/report/report-protocol.ts';
import type {
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
import type { Side } from '#core/contract/side.ts';

/** Describes all captures of both sides as a source of analyses. */
export interface ComparisonSource extends SourceTypes {
  readonly open: {
    /** What the library records about the capture; null if it is not in the library. */
    readonly document: FactsDocument | null;
    /** The capture's name, for messages. */
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
  /** `before`: the transforms applied earlier. */
  readonly previewed: OfRevision<{ readonly before: readonly NamedTransform[]; readonly transform: NamedTransform }>;
  readonly preview: ComparePreview;
  /** Overlays all captures of a side, each from its own origin, regardless of the selected time range. */
  readonly strip: { readonly side: Side };
}

export type CompareParams = ParamsOf<AnalysisMethods<ComparisonSource>, 'analyze'>;

export interface CompareMethods extends AnalysisMethods<ComparisonSource> {
  /** Frees a capture that neither side uses any more. */
  forget: { params: { capture: number }; result: null };
  /**
   * Returns the range of one side's graph that matches the given range of the other's: the same place in the middle, at
   * the same width; see `carryRange`.
   */
  'carry-range': {
    params: OfRevision<{ root: CallNodeIndex; range: WeightRange; from: Side; to: Side }>;
    result: WeightRange | null;
  };
  /** Returns what the weight of a node is made of, in the tree's width. */
  'self-weights': { params: OfRevision<SelfRequest & { tree: UnionTree }>; result: SelfWeights };
  'describe-path': { params: OfRevision<{ node: CallNodeIndex; root: CallNodeIndex }>; result: PathDetail };
  'preview-rule': { params: OfRevision<{ rule: UserRule }>; result: RulePreview };
  movers: { params: OfRevision<{ most: number }>; result: TopMovers };
  /**
   * Slows down `func`, or the heaviest functions one at a time if null. `report` is null if there are too few captures.
   */
  'self-test': {
    params: OfRevision<{ slowdown: number; func: FunctionIndex | null }>;
    result: { readonly report: SelfTestReport | null; readonly captures: number };
  };
  /** The comparison as a report: its page, or a file. */
  'report-preview': { params: OfRevision<{ choice: ReportChoice }>; result: ReportPreview };
  'report-file': { params: OfRevision<ReportFileChoice>; result: Blob };
  advice: { params: OfRevision<{ func: FunctionIndex }>; result: Readonly<Record<Metric, Advice | null>> };
}

export type CompareMethod = keyof CompareMethods;
