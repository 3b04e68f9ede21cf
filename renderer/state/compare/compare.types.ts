import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import type { Metric } from '#core/compare/statistics/judge.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import type { CompareStep } from '#core/compare/comparison.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Orientation } from '../../ui/flame/graph.types.ts';
import type { AnalysisState } from '../analysis/analysis-state.ts';
import type { TabSource } from '../tab-source.ts';
import type { Problem } from '../../ui/problem.ts';
import type { NoteBook } from '../notes/note-book.ts';
import type { Store } from '../store.ts';
import type { FileOrigin } from '#core/contract/session.ts';
import type { Side } from '#core/contract/side.ts';
import type { SortOrder } from '../../ui/table/table.types.ts';
import type { CompareMethod, CompareMethods } from '../../analysis/comparison/methods.ts';
import type { KeptRanges } from '../kept-ranges.ts';
import type { ParamsOf, ResultOf } from '../../analysis/methods.ts';
import type { Compared, CompareMatches, OpenedCapture, SideChoice } from '../../analysis/comparison/protocol.ts';

/** A capture to compare: where its bytes come from, now and in a later session. */
export interface CompareInput {
  readonly source: TabSource;
  readonly origin: FileOrigin;
  /** Importer ID chosen by the user; absent or null detects the format by content. */
  readonly format?: string | null;
  /** Number of requests served during the capture; null if unknown. */
  readonly requests: number | null;
  /** Logarithm of the size factor of the whole capture if a report, which may hold only a part of it, states it. */
  readonly size?: number;
}

/** A capture of a side, with its reading state. */
export interface CompareCapture extends CompareInput {
  /** Unique within the tab. */
  readonly key: number;
  readonly phase: 'waiting' | 'reading' | 'ready' | 'failed';
  readonly opened: OpenedCapture | null;
  /** Why the capture could not be read; it is excluded until it is read again or removed. */
  readonly problem: Problem | null;
}

export interface CompareSide extends SideChoice {
  readonly captures: readonly CompareCapture[];
}

/** Options that make the sides comparable. */
interface CompareOptions {
  /** Null selects the default. */
  readonly normalisation: Normalisation | null;
  readonly rules: MatchRules;
  /** True shows values as measured where size factors would decide. It is not kept: a comparison opens on its answer. */
  readonly asMeasured?: boolean;
  /** Transforms applied to both sides. */
  readonly transforms: readonly NamedTransform[];
}

/** How the comparison is drawn; it does not affect the result. */
export interface CompareLook {
  readonly graph: 'side-by-side' | 'delta';
  /** Widths of the delta graph. */
  readonly width: DeltaWidth;
  readonly orientation: Orientation;
  readonly table: CompareTableLook;
  readonly panel: ComparePanelId;
}

export const COMPARE_PANELS = ['movers', 'details', 'notes', 'matching', 'captures', 'load', 'self-test'] as const;
export type ComparePanelId = (typeof COMPARE_PANELS)[number];

/** `changed` shows functions that grew or shrank. */
export const SHOWN_ROWS = ['all', 'changed', 'grew', 'shrank', 'suggestive', 'new', 'removed'] as const;
export type ShownRows = (typeof SHOWN_ROWS)[number];

export interface CompareTableLook {
  readonly measure: Metric;
  readonly show: ShownRows;
  /** A pattern for function names; empty matches all. */
  readonly pattern: string;
  /** Module names with their folders. */
  readonly hiddenModules: readonly string[];
  readonly sort: SortOrder;
}

export const INITIAL_COMPARE_LOOK: CompareLook = {
  graph: 'side-by-side',
  width: 'union',
  orientation: 'icicle',
  table: {
    measure: 'total',
    show: 'all',
    pattern: '',
    hiddenModules: [],
    sort: { column: 'verdict', direction: 'descending' },
  },
  panel: 'movers',
};

/** The selected function, with its call path if it was selected in a graph, else null. */
export interface ComparePicked {
  readonly func: FunctionIndex;
  readonly node: CallNodeIndex | null;
}

export interface CompareState extends AnalysisState<Compared, ComparePicked, CompareMatches> {
  /** The experiment's name; null derives it from the captures, see `compareTitle`. */
  readonly name: string | null;
  /** ID of the saved experiment; null if the comparison is not saved. */
  readonly experimentId: string | null;
  readonly before: CompareSide;
  readonly after: CompareSide;
  /** Position of the capture being read, as in "3 of 10 captures"; null if none is. */
  readonly reading: {
    readonly number: number;
    readonly of: number;
    readonly fileName: string;
    readonly readBytes: number;
    readonly totalBytes: number | null;
  } | null;
  readonly options: CompareOptions;
  readonly look: CompareLook;
  /** Progress of the running comparison; null if none is running. */
  readonly comparing: { readonly step: CompareStep; readonly done: number } | null;
  /** True after the user cancelled; nothing runs until `load`. */
  readonly stopped: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The path under the pointer in a graph, or of the row under it in the table. */
  readonly hovered: ComparePicked | null;
  /** Index of the guide's step; null without a guide. Not kept. */
  readonly guideStep: number | null;
}

/** A comparison in a tab: its worker, reading state and result. */
export interface CompareTab {
  readonly kind: 'compare';
  readonly id: string;
  readonly store: Store<CompareState>;
  /** Separate from the state, which is saved. */
  readonly ranges: Store<KeptRanges>;
  readonly notes: NoteBook;
  /** Reads unread captures, retries failed ones, and compares. */
  readonly load: () => Promise<void>;
  /** Returns to the comparison on screen. If there is none, terminates the worker, and nothing runs until `load`. */
  readonly cancel: () => void;
  readonly dispose: () => void;
  /** Sends a request to the worker; never resolves if the question is outdated or the tab closed. */
  readonly ask: <M extends CompareMethod>(
    method: M,
    params: ParamsOf<CompareMethods, M>,
  ) => Promise<ResultOf<CompareMethods, M>>;
  readonly rename: (name: string) => void;
  readonly setExperiment: (id: string | null) => void;
  /** Appends captures to a side. */
  readonly add: (side: Side, inputs: readonly CompareInput[]) => void;
  readonly remove: (key: number) => void;
  /** Moves a capture to the end of the other side. */
  readonly moveAcross: (key: number) => void;
  readonly setRequests: (requests: ReadonlyMap<number, number | null>) => void;
  /** Records that a capture was added to the library. */
  readonly setCaptureId: (key: number, captureId: string) => void;
  /** Swaps the sides, which reverses the sign of every delta. */
  readonly swap: () => void;
  readonly choose: (side: Side, change: Partial<SideChoice>) => void;
  readonly setOptions: (change: Partial<CompareOptions>) => void;
  readonly setLook: (change: Partial<Omit<CompareLook, 'table'>>) => void;
  readonly lookAtTable: (change: Partial<CompareTableLook>) => void;
  readonly setSearch: (text: string) => void;
  readonly zoom: (node: CallNodeIndex) => void;
  /** See `AnalysisView.zoomTo`. */
  readonly zoomTo: (path: readonly FunctionRef[]) => Promise<void>;
  /** See `AnalysisView.lineage`. */
  readonly lineage: () => TreeLineage;
  readonly pick: (picked: ComparePicked | null) => void;
  readonly hover: (hovered: ComparePicked | null) => void;
  readonly guide: (step: number | null) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}
