import type { LabelBreakdown } from '#core/analyze/reading/labels.ts';
import type { OfRevision } from '../answer.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { ProfileMetadata } from '#core/model/profile.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { SiblingOrder } from '#core/analyze/tree/sibling-order.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { FlameSlice, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { SourceLineRows } from '#core/analyze/tables/source-line-rows.ts';
import type { ExportedFile, ExportParams, PreviewParams } from './seen-requests.ts';
import type { SelectionSums } from '#core/analyze/tables/selection-sums.ts';
import type { GraphMethods, GraphRef, SampleWidths } from './graph-protocol.ts';
import type { AnalysisMethods, FoundPlaces, OwnTree, ParamsOf, SourceTypes } from '../methods.ts';
import type { TableMethods } from '../../../core/analyze/tables/table-protocol.ts';
import type { TimeMethods } from './time-protocol.ts';

/** What the window and a profile's worker exchange, beyond what they do for every source. */

/** Functions of the profile, by index, with one string table: structured clone does not share equal strings. */
export interface FunctionNames {
  readonly length: number;
  readonly strings: readonly string[];
  /** → strings */
  readonly name: Int32Array;
  readonly module: Int32Array;
  readonly file: Int32Array;
  /** 1-based; 0 unknown. */
  readonly line: Int32Array;
  /** `FunctionKind` of core/model/profile.ts. */
  readonly kind: Uint8Array;
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
  /** Those that weigh most in all of it, the heaviest first; some hundreds at the most. */
  readonly heaviest: readonly FunctionIndex[];
  readonly diagnostics: readonly Diagnostic[];
  /** By the file alone; null without samples. */
  readonly quality: CaptureQuality | null;
  readonly sampleCount: number;
  readonly hasTime: boolean;
  /** A sample has a label. */
  readonly hasLabels: boolean;
}

/** Which tree the graph shows. */
export type TreeChoice = {
  /** time-order: samples as they came. sandwich: callers and callees of the picked function. Both beside a top-down tree, which is the analysis'. */
  readonly kind: 'top-down' | 'bottom-up' | 'time-order' | 'sandwich';
  /** Of a top-down or bottom-up graph; kept while another is shown. Absent: by name. */
  readonly siblings?: SiblingOrder;
  /** Of a graph in order of time; kept while another is shown. Absent: by time. */
  readonly widths?: SampleWidths;
};

export interface ViewQuestion {
  /** The worker keeps one analysis per view of the profile; `close-view` frees it. */
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
  /** The profile's functions, then those that transforms made; null: the profile's own. */
  readonly functions: FunctionNames | null;
  /** In the value type's unit. */
  readonly total: number;
  /** Hidden by transforms; `total + hidden` is the selection's whole weight. */
  readonly hidden: number;
  /** By transform: its part of `hidden`; 0 where it is switched off. */
  readonly hiddenBy: readonly number[];
  /** By transform: what it found; see `ResolvedTransforms`. null where it is switched off. */
  readonly found: readonly (number | null)[];
  readonly withoutStack: number;
  /** Self weight of functions without a symbol. */
  readonly unresolved: number;
  readonly sampleCount: number;
  /** Of a view without weight, the value types in which the same selection and transforms leave some. */
  readonly otherTypes: readonly ValueTypeIndex[];
  /** Samples of the selection that the time range left out because they have no time. */
  readonly withoutTime: number;
  /** What there would be without the time range; null where there is none. */
  readonly withoutRange: { readonly total: number; readonly sampleCount: number } | null;
  readonly rows: FunctionRows;
  readonly treeLength: number;
  /** Below the tree's root. */
  readonly maxDepth: number;
}

/** An analysis as it crosses: the window has the profile's functions already. */
export type AnalysisAnswer = Omit<Analysis, 'functions'> & {
  /** What follows the profile's functions, and the strings that follow its strings; null: nothing. */
  readonly made: FunctionNames | null;
};

/** Weights of one view, each summed from another place. */
export interface Audit {
  /** Self weights of the function table. */
  readonly table: number;
  readonly withoutStack: number;
  /** Of the call tree's root. */
  readonly graph: number;
  /** Of the selected samples, before any transform. */
  readonly selected: number;
  readonly hidden: number;
  /** Of the selected samples, all counted as positive: what rounding is measured against. */
  readonly magnitude: number;
}

export interface SearchMatches {
  /** 1 per matching function, by function index. */
  readonly flags: Uint8Array;
  readonly functions: number;
  /** Weight of the stacks that hold a match, in the value type's unit. */
  readonly weight: number;
}

/** The heaviest; `call-edges` has all. */
export interface NeighbourRows {
  readonly callers: readonly NeighbourRow[];
  readonly callees: readonly NeighbourRow[];
  /** With those that are not listed. */
  readonly callerCount: number;
  readonly calleeCount: number;
}

/** Functions that stacks end in, and with what weight; the heaviest first. */
export interface LeafRows {
  readonly func: Int32Array;
  readonly weight: Float64Array;
}

export interface NeighbourRow {
  /** −1: the stack begins (caller) or ends (callee) here. */
  readonly func: FunctionIndex | -1;
  readonly weight: number;
}

/** A profile, as a source of analyses. */
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

export interface ProfileMethods extends AnalysisMethods<ProfileSource>, TableMethods, GraphMethods, TimeMethods {
  'close-view': { params: { view: number }; result: null };
  neighbours: { params: OfRevision<{ func: FunctionIndex }>; result: NeighbourRows };
  /** Where the weight of a function is spent; null: of all. */
  'leaf-weights': { params: OfRevision<{ func: FunctionIndex | null }>; result: LeafRows };
  /** What the values of each label key weigh. */
  labels: { params: { revision: number }; result: readonly LabelBreakdown[] };
  /** What each source line of a function weighs. */
  'source-lines': { params: OfRevision<{ func: FunctionIndex }>; result: SourceLineRows };
  /** What is seen as a file. */
  export: { params: ExportParams; result: ExportedFile };
}

export type ProfileMethod = keyof ProfileMethods;

/** What the regex worker does with the names that it was sent last. */
export type RegexJob =
  | { readonly kind: 'match'; readonly pattern: string; readonly ignoreCase: boolean }
  | { readonly kind: 'rename'; readonly pattern: string; readonly ignoreCase: boolean; readonly replacement: string };

/** To the regex worker and back. Names come before the first pattern, and again where they have changed. */
export type RegexRequest = { readonly kind: 'names'; readonly names: readonly string[] } | RegexJob;
export type RegexAnswer =
  | { readonly kind: 'match'; readonly flags: Uint8Array }
  | { readonly kind: 'rename'; readonly names: readonly string[] }
  | { readonly kind: 'refused'; readonly error: string };
