import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Normalisation } from '#core/compare/measure/capture-facts.ts';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import type { Metric } from '#core/compare/describe-change.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import type { CompareStep } from '#core/compare/progress.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Orientation } from '../../ui/flame/flame-graph.types.ts';
import type { AnalysisState } from '../analysis/analysis-view.ts';
import type { TabSource } from '../tab-source.ts';
import type { Problem } from '../../ui/problem.ts';
import type { Store } from '../store.ts';
import type { FileOrigin } from '#core/contract/session.ts';
import type { SortOrder } from '../../ui/table/table.types.ts';
import type { CompareMethod, CompareMethods } from '../../analysis/comparison/methods.ts';
import type { ParamsOf, ResultOf } from '../../analysis/methods.ts';
import type {
  Compared,
  CompareMatches,
  OpenedCapture,
  SideChoice,
  SideName,
} from '../../analysis/comparison/protocol.ts';

/** A capture that is to be compared: where its bytes come from, now and in another run. */
export interface CompareInput {
  readonly source: TabSource;
  readonly origin: FileOrigin;
  /** Chosen by hand; absent or null: by content. */
  readonly format?: string | null;
  /** Served during the capture; null where not known. */
  readonly requests: number | null;
}

/** A capture of a side, and how far it is. */
export interface CompareCapture extends CompareInput {
  /** Unlike any other of the tab. */
  readonly key: number;
  readonly phase: 'waiting' | 'reading' | 'ready' | 'failed';
  readonly opened: OpenedCapture | null;
  /** Why it could not be read: it is left out until it is read again or taken away. */
  readonly problem: Problem | null;
}

export interface CompareSide extends SideChoice {
  readonly captures: readonly CompareCapture[];
}

/** How the sides become comparable. */
export interface CompareOptions {
  /** Null: the default. */
  readonly normalisation: Normalisation | null;
  readonly rules: MatchRules;
  /** Applied to both sides. */
  readonly transforms: readonly NamedTransform[];
}

/** How the comparison is drawn; changes nothing of what is compared. */
export interface CompareLook {
  readonly graph: 'side-by-side' | 'delta';
  /** Of the delta graph. */
  readonly width: DeltaWidth;
  readonly orientation: Orientation;
  readonly table: CompareTableLook;
  readonly panel: ComparePanel;
}

export const COMPARE_PANELS = ['movers', 'details', 'matching', 'captures', 'self-test'] as const;
export type ComparePanel = (typeof COMPARE_PANELS)[number];

/** `changed`: grew or shrank. */
export const SHOWN_ROWS = ['all', 'changed', 'grew', 'shrank', 'suggestive', 'new', 'removed'] as const;
export type ShownRows = (typeof SHOWN_ROWS)[number];

export interface CompareTableLook {
  readonly measure: Metric;
  readonly show: ShownRows;
  /** A pattern of function names; empty: all. */
  readonly pattern: string;
  /** Names with folders. */
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
    sort: { column: 'delta', direction: 'descending' },
  },
  panel: 'movers',
};

/** What the user picked: a function, and its call path where it was picked in a graph. Null: nowhere in particular. */
export interface ComparePicked {
  readonly func: FunctionIndex;
  readonly node: CallNodeIndex | null;
}

export interface CompareState extends AnalysisState<Compared, ComparePicked, CompareMatches> {
  /** The experiment's name; null: what its captures suggest, see `compareTitle`. */
  readonly name: string | null;
  /** Id of the experiment that it is saved as; null where it is not. */
  readonly experimentId: string | null;
  readonly before: CompareSide;
  readonly after: CompareSide;
  /** What is being read: "3 of 10 captures". Null: nothing. */
  readonly reading: {
    readonly number: number;
    readonly of: number;
    readonly fileName: string;
    readonly readBytes: number;
    readonly totalBytes: number | null;
  } | null;
  readonly options: CompareOptions;
  readonly look: CompareLook;
  /** What the comparison is at; null where none runs. */
  readonly comparing: { readonly step: CompareStep; readonly done: number } | null;
  /** Ended by the user: nothing runs until `load`. */
  readonly stopped: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The path under the pointer in one of the graphs, or of the row under it in the table. */
  readonly hovered: ComparePicked | null;
}

/** A before and an after, side by side: their worker, how far reading is, and what was found. */
export interface CompareTab {
  readonly kind: 'compare';
  readonly id: string;
  readonly store: Store<CompareState>;
  /** Reads what was not read, again what could not be read, and compares. */
  readonly load: () => Promise<void>;
  /** Back to the comparison on screen; without one, ends the worker at once: nothing runs until `load`. */
  readonly cancel: () => void;
  readonly dispose: () => void;
  /** Asks the worker; never answered where the question is outdated or the tab closed. */
  readonly ask: <M extends CompareMethod>(
    method: M,
    params: ParamsOf<CompareMethods, M>,
  ) => Promise<ResultOf<CompareMethods, M>>;
  readonly rename: (name: string) => void;
  readonly setExperiment: (id: string | null) => void;
  /** Puts captures at the end of a side. */
  readonly add: (side: SideName, inputs: readonly CompareInput[]) => void;
  readonly remove: (key: number) => void;
  /** Takes a capture to the end of the other side. */
  readonly moveAcross: (key: number) => void;
  readonly setRequests: (requests: ReadonlyMap<number, number | null>) => void;
  /** A capture that was kept in the library. */
  readonly setCaptureId: (key: number, captureId: string) => void;
  /** Swap the sides; every delta changes its sign. */
  readonly swap: () => void;
  readonly choose: (side: SideName, change: Partial<SideChoice>) => void;
  readonly setOptions: (change: Partial<CompareOptions>) => void;
  readonly setLook: (change: Partial<Omit<CompareLook, 'table'>>) => void;
  readonly lookAtTable: (change: Partial<CompareTableLook>) => void;
  readonly setSearch: (text: string) => void;
  readonly zoom: (node: CallNodeIndex) => void;
  readonly pick: (picked: ComparePicked | null) => void;
  readonly hover: (hovered: ComparePicked | null) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}
