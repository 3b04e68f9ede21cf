import type { PinnedRows, PinnedSide } from './pinned-protocol.ts';
import type { ReportChoice, ReportFileChoice, ReportPreview } from './report/report-protocol.ts';
import type { KindRule } from '#core/analyze/summary/kind-rules.ts';
import type { Summary } from '#core/analyze/summary/summary.ts';
import type { GoroutineGroup } from '#core/analyze/tables/goroutines.ts';
import type { LabelBreakdown } from '#core/analyze/reading/labels.ts';
import type { OfRevision, FoundPlace } from '../answer.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { FunctionIndex, ValueTypeIndex, ThreadIndex } from '#core/model/brand.ts';
import type { Receipt } from '#core/model/receipt.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { FunctionTable, ProfileMetadata } from '#core/model/profile.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { SiblingOrder } from '#core/analyze/tree/sibling-order.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { FlameSlice, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import type { ExportedFile, ExportParams, PreviewParams } from './visible-requests.ts';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { GraphMethods, GraphRef, SampleWidths } from './graph-protocol.ts';
import type {
  AnalysisMethods,
  FoundPlaces,
  OpenSource,
  OwnTree,
  ParamsOf,
  SourceTypes,
  TimeWindow,
} from '../methods.ts';
import type { TableMethods } from '../../../core/analyze/tables/table-protocol.ts';
import type { FunctionGroups, GroupHistograms } from '#core/analyze/time/group-histograms.ts';
import type { KindHistograms } from '#core/analyze/time/kind-histograms.ts';
import type { SampleQuery, ShownSample } from '#core/analyze/time/nearest-sample.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { HeatMap, ThreadRows, TimeBars } from '#core/analyze/time/strip.ts';

/** Types that the window and a profile's worker exchange, in addition to those that all sources share. */

/** Functions of the profile, by index, with one string table, because structured clone does not share equal strings. */
export interface FunctionNames extends FunctionTable {
  readonly strings: readonly string[];
}

export interface ThreadRow {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly samples: number;
}

export interface OpenedProfile {
  readonly metadata: ProfileMetadata;
  readonly valueTypes: readonly { readonly type: string; readonly unit: string }[];
  readonly threads: readonly ThreadRow[];
  readonly functions: FunctionNames;
  /** The functions with the greatest totals in the whole profile, heaviest first; a few hundred at most. */
  readonly heaviest: readonly FunctionIndex[];
  readonly diagnostics: readonly Diagnostic[];
  /** Quality as judged from the file alone; null if there are no samples. */
  readonly quality: CaptureQuality | null;
  /** What the file kept, and what of it was skipped, merged, lost or changed. */
  readonly receipt: Receipt;
  readonly sampleCount: number;
  readonly hasTime: boolean;
  /** Label keys of all samples, sorted by name; at most as many as a list can show. */
  readonly labelKeys: readonly string[];
}

/** Selects the tree that the graph shows. */
export type TreeChoice = {
  /**
   * `time-order` shows samples in order of time, `sandwich` the callers and callees of the selected function. The
   * analysis has a top-down tree with both.
   */
  readonly kind: 'top-down' | 'bottom-up' | 'time-order' | 'sandwich';
  /** Order of siblings in a top-down or bottom-up graph, kept while another kind is shown; `usualOrder` if absent. */
  readonly siblings?: SiblingOrder;
  /** Widths in a time-ordered graph, kept while another kind is shown; by time if absent. */
  readonly widths?: SampleWidths;
};

export interface ViewQuestion {
  /** The view's number. The worker keeps one analysis per view; `close-view` frees it. */
  readonly view: number;
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  readonly tree: TreeChoice;
}

export interface FunctionRows {
  readonly func: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
}

export interface Analysis extends FoundPlaces {
  readonly revision: number;
  readonly tree: TreeChoice;
  /** The profile's functions, followed by those that transforms created; null if they are the profile's own. */
  readonly functions: FunctionNames | null;
  /** Total weight in the value type's unit. */
  readonly total: number;
  /** See `absoluteTotal`. */
  readonly absolute: number;
  /** Weight hidden by transforms; `total + hidden` is the weight of the whole selection. */
  readonly hidden: number;
  /** Each transform's share of `hidden`; 0 if it is switched off. */
  readonly hiddenBy: readonly number[];
  /** How many matches each transform found; see `ResolvedTransforms`. Null if it is switched off. */
  readonly found: readonly (number | null)[];
  readonly withoutStack: number;
  /** Self weight of functions without a symbol. */
  readonly unresolved: number;
  readonly sampleCount: number;
  /** Number of equal samples with the same error of shares; null if weights are not of samples. */
  readonly effectiveSamples: number | null;
  /** If the view has no weight: the value types in which the same selection and transforms have some. */
  readonly otherTypes: readonly ValueTypeIndex[];
  /** Number of selected samples that the time range excludes because they have no timestamp. */
  readonly withoutTime: number;
  /** The view without the time range; null if there is none. */
  readonly withoutRange: { readonly total: number; readonly sampleCount: number } | null;
  /** With a baseline, functions that only it has follow with weight 0. */
  readonly rows: FunctionRows;
  /** Values next to those of a live profile's baseline; null without one. */
  readonly pinned: PinnedRows | null;
  /** By row: 1 if hotter in the second half of the time, −1 if cooler, else 0; null unless the profile is live. */
  readonly trends: Int8Array | null;
  readonly treeLength: number;
  /** Depth below the tree's root. */
  readonly maxDepth: number;
}

/** An analysis as the worker sends it; the window already has the profile's functions. */
export type AnalysisAnswer = Omit<Analysis, 'functions'> & {
  /** Functions and strings appended to the profile's own; null if there are none. */
  readonly made: FunctionNames | null;
};

/** Weights of one view that must agree, each summed from a different source. */
export interface Audit {
  /** Sum of the function table's self weights. */
  readonly table: number;
  readonly withoutStack: number;
  /** Total of the call tree's root. */
  readonly graph: number;
  /** Weight of the selected samples, before any transform. */
  readonly selected: number;
  readonly hidden: number;
  /** Sum of the selected samples' absolute weights, the scale for rounding errors. */
  readonly magnitude: number;
}

export interface SearchMatches {
  /** By function index: 1 if the function matches, else 0. */
  readonly flags: Uint8Array;
  readonly functions: number;
  /** Weight of the stacks that contain a match, in the value type's unit. */
  readonly weight: number;
}

/** The heaviest neighbours of a function; `call-edges` returns all. */
export interface NeighbourRows {
  readonly callers: readonly NeighbourRow[];
  readonly callees: readonly NeighbourRow[];
  /** Number of callers, including those not listed. */
  readonly callerCount: number;
  readonly calleeCount: number;
}

/** Functions in which stacks end, with the weight of those stacks, heaviest first. */
export interface LeafRows {
  readonly func: Int32Array;
  readonly weight: Float64Array;
}

export interface NeighbourRow {
  /** −1 if the stack begins (caller) or ends (callee) here. */
  readonly func: FunctionIndex | -1;
  readonly weight: number;
}

/** The baseline to compare snapshots with. */
export interface PinnedRequest extends Omit<PinnedSide, 'profile'> {
  /** Null if the worker has already read it. */
  readonly source: OpenSource | null;
}

/** Describes a profile as a source of analyses. */
export interface ProfileSource extends SourceTypes {
  readonly open: object;
  readonly opened: OpenedProfile;
  readonly held: object;
  readonly question: ViewQuestion;
  readonly answer: AnalysisAnswer;
  readonly tree: OwnTree | GraphRef;
  readonly slice: FlameSlice;
  readonly pathEntry: PathEntry;
  readonly matches: SearchMatches;
  readonly audit: Audit;
  readonly summed: { readonly of: 'functions' | 'nodes'; readonly rows: Int32Array };
  readonly sums: SelectionSums;
  readonly previewed: PreviewParams;
  readonly preview: TransformPreview;
  readonly strip: object;
}

export type AnalyzeParams = ParamsOf<AnalysisMethods<ProfileSource>, 'analyze'>;

/** The view of a profile. */
type SeenQuestion = Pick<ViewQuestion, 'selection' | 'transforms'>;

export interface ProfileMethods extends AnalysisMethods<ProfileSource>, TableMethods, GraphMethods, TimeMethods {
  /**
   * Reads a newer snapshot of the same source; indices of functions and threads keep their meaning. Requests about
   * analyses of the previous snapshot are answered until the next refresh.
   */
  refresh: { params: { source: OpenSource; pinned: PinnedRequest | null }; result: OpenedProfile };
  'close-view': { params: { view: number }; result: null };
  neighbours: { params: OfRevision<{ func: FunctionIndex }>; result: NeighbourRows };
  /** Returns where the weight of a function is spent; null selects the whole view. */
  'leaf-weights': { params: OfRevision<{ func: FunctionIndex | null }>; result: LeafRows };
  /** Returns the weight of each value of each label key. */
  labels: { params: { revision: number }; result: readonly LabelBreakdown[] };
  /** Returns where the view's weight goes. Fails as `bad-pattern` or `slow-pattern` if a rule's pattern does. */
  summary: { params: OfRevision<{ rules: readonly KindRule[] }>; result: Summary };
  /** Returns the goroutines by stack. */
  goroutines: { params: { revision: number }; result: readonly GoroutineGroup[] };
  /** Returns the weight of each source line of a function. */
  'source-lines': { params: OfRevision<{ func: FunctionIndex }>; result: SourceLineRows };
  /** Exports the current view as a file. */
  /** The current view as a report: its page, or a file. */
  'report-preview': { params: SeenQuestion & { choice: ReportChoice }; result: ReportPreview };
  'report-file': { params: SeenQuestion & ReportFileChoice; result: Blob };
  /** Reads another capture for reports; `held` is the number by which choices refer to it. */
  'report-hold': { params: { source: OpenSource }; result: { readonly held: number } };
  export: { params: ExportParams; result: ExportedFile };
}

export type ProfileMethod = keyof ProfileMethods;

/** Requests about time in a profile. */
interface TimeMethods {
  /** `buckets` is the maximum; see `steadyBuckets`. This and the next two return null if no sample has a timestamp. */
  'time-function': {
    params: OfRevision<TimeWindow & { buckets: number; func: FunctionIndex }>;
    result: TimeBars | null;
  };
  'time-groups': {
    params: OfRevision<TimeWindow & { buckets: number; groups: FunctionGroups }>;
    result: GroupHistograms | null;
  };
  'time-threads': { params: OfRevision<TimeWindow & { buckets: number }>; result: ThreadRows | null };
  'time-kinds': {
    params: OfRevision<TimeWindow & { buckets: number; threads: readonly ThreadIndex[] }>;
    result: KindHistograms | null;
  };
  /** See `nearestSample`. */
  'time-sample': {
    params: OfRevision<{ thread: ThreadIndex; time: number; span: TimeRange }>;
    result: ShownSample | null;
  };
  /** Returns the place of `nearestStack`'s leaf in the analysis' tree; null if there is no stack. */
  'time-place': { params: OfRevision<SampleQuery>; result: FoundPlace | null };
  'heat-map': { params: OfRevision<TimeWindow & { maxColumns: number }>; result: HeatMap | null };
  /** Returns the ranges without any sample; see `timeGaps`. */
  'time-gaps': { params: null; result: readonly TimeRange[] };
}
