import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Advice } from '#core/compare/statistics/advise-runs.ts';
import type { Metric } from '#core/compare/describe-change.ts';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import type { UserRule } from '#core/compare/match/match-rules.ts';
import type { CompareStep } from '#core/compare/progress.ts';
import type { SelectionDelta } from '#core/compare/measure/selection-delta.ts';
import type { SelfTestReport } from '#core/compare/statistics/self-test.ts';
import type { TopMovers } from '#core/compare/top-movers.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { MatchRequest, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import type { WeightRange } from '../../core/analyze/graph/weight-range.ts';
import type { TimeStrip } from '#core/analyze/time/time-strip.ts';
import type { Failure, OfRevision } from './answer.ts';
import type { CachePlace, FormatRow, OpenSource } from './protocol.ts';
import type { TimeWindow } from './time-protocol.ts';
import type { FunctionText } from '../../core/analyze/tables/table-protocol.ts';
import type {
  SideName,
  OpenedCapture,
  CompareParams,
  Compared,
  CompareSlice,
  ComparePathEntry,
  PathDetail,
  CompareAudit,
  CompareMatches,
  ComparePreview,
  RulePreview,
} from './compare-protocol.ts';

/** What the window and a comparison's worker say to one another. One worker holds all captures of both sides. */

export interface CompareMethods {
  open: {
    params: {
      source: OpenSource;
      format: string | null;
      /** What the library knows of it. */
      document: CaptureDocument | null;
      /** Said in messages. */
      name: string;
    };
    result: OpenedCapture;
  };
  /** PUTs the native form to the engine, for the next open. */
  cache: { params: CachePlace & { capture: number }; result: { bytes: number } };
  /** Frees a capture that no side has any more. */
  forget: { params: { capture: number }; result: null };
  /** Refused as `refused` where the result would mean nothing, as `bad-pattern` or `slow-pattern` where a pattern is. */
  compare: { params: CompareParams; result: Compared };
  /** Places of before in a comparison that is there: what `compare` finds with its own. */
  place: {
    params: OfRevision<Pick<CompareParams, 'zoom' | 'picked'>>;
    result: Pick<Compared, 'zoomNode' | 'picked'>;
  };
  /** Ends a comparison that still runs, which is then refused as `withdrawn`; the one before it stays. */
  withdraw: { params: { revision: number }; result: null };
  audit: { params: { revision: number }; result: CompareAudit };
  /** `shared`: on the scale of both sides, whatever has more of the root fills the width. */
  slice: { params: OfRevision<SliceRequest & { width: DeltaWidth; shared: boolean }>; result: CompareSlice };
  path: { params: OfRevision<{ width: DeltaWidth; node: CallNodeIndex }>; result: readonly ComparePathEntry[] };
  match: { params: OfRevision<MatchRequest & { width: DeltaWidth }>; result: CallNodeIndex | null };
  /** The part of one side's graph that shows in its middle what a part of the other's does, as wide; see `carryRange`. */
  'carry-range': {
    params: OfRevision<{ root: CallNodeIndex; range: WeightRange; from: SideName; to: SideName }>;
    result: WeightRange | null;
  };
  'describe-path': { params: OfRevision<{ node: CallNodeIndex; root: CallNodeIndex }>; result: PathDetail };
  /** By the names of the comparison; see the profile worker's `search`. */
  search: { params: OfRevision<{ pattern: string }>; result: CompareMatches };
  /** As `search`, for the table's own filter: neither ends the other. */
  filter: { params: OfRevision<{ pattern: string }>; result: Uint8Array };
  /** Places of functions in the order of a text; see `textRanks`. */
  'text-ranks': { params: OfRevision<{ by: FunctionText }>; result: Int32Array };
  sums: { params: OfRevision<{ functions: Int32Array }>; result: SelectionDelta };
  /** What a transform would do after others; refused as `bad-pattern` or `slow-pattern` where its pattern is. */
  preview: {
    params: OfRevision<{ before: readonly NamedTransform[]; transform: NamedTransform }>;
    result: ComparePreview;
  };
  'preview-rule': { params: OfRevision<{ rule: UserRule }>; result: RulePreview };
  /** The path of a function that has most of the union; null where no path has it. */
  heaviest: { params: OfRevision<{ func: FunctionIndex }>; result: CallNodeIndex | null };
  movers: { params: OfRevision<{ most: number }>; result: TopMovers };
  /** `func`: the only one that is slowed down; null: the heaviest, one at a time. No report with too few captures. */
  'self-test': {
    params: OfRevision<{ slowdown: number; func: FunctionIndex | null }>;
    result: { readonly report: SelfTestReport | null; readonly captures: number };
  };
  advice: { params: OfRevision<{ func: FunctionIndex }>; result: Readonly<Record<Metric, Advice | null>> };
  /** All captures of a side on top of one another, each from its own origin; whatever the time range. Null where no sample has a time. */
  'time-strip': { params: OfRevision<TimeWindow & { side: SideName; buckets: number }>; result: TimeStrip | null };
}

export type CompareMethod = keyof CompareMethods;
export type CompareRequestParams<M extends CompareMethod> = CompareMethods[M]['params'];
export type CompareResult<M extends CompareMethod> = CompareMethods[M]['result'];

export type CompareRequest = {
  [M in CompareMethod]: { readonly id: number; readonly method: M; readonly params: CompareRequestParams<M> };
}[CompareMethod];

export type CompareMessage =
  /** First of all, once. */
  | { readonly kind: 'ready'; readonly formats: readonly FormatRow[] }
  | { readonly kind: 'progress'; readonly readBytes: number; readonly totalBytes: number | null }
  /** `done`: 0 to 1 of the whole comparison. */
  | { readonly kind: 'step'; readonly step: CompareStep; readonly done: number }
  | { readonly kind: 'done'; readonly id: number; readonly result: CompareResult<CompareMethod> }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };
