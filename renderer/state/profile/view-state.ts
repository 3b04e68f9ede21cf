import type { CallNodeIndex, FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { Orientation } from '../../ui/flame/graph.types.ts';
import type { ColourChoice } from '../colour-choice.ts';
import type { GraphPlace } from '../../analysis/profile/graph-protocol.ts';
import type { Analysis, NeighbourRows, SearchMatches, TreeChoice } from '../../analysis/profile/protocol.ts';
import { NO_COMMITS, type CommittedRanges } from '../../ui/time/committed-ranges.ts';
import { INITIAL_TIME_DISPLAY, type TimeDisplay } from '../time/time-display.ts';
import { INITIAL_SOURCE_LOOK, type SourceLook } from '../source/source.types.ts';
import { INITIAL_TABLES_DISPLAY, type TablesDisplay } from '../../ui/table/tables-display.ts';
import type { AnalysisState } from '../analysis/analysis-state.ts';

/** The selected function and, if it was selected in the graph, the row of the call tree. */
export interface Picked {
  readonly func: FunctionIndex;
  readonly node: CallNodeIndex | null;
  /** Revision of the analysis to which `node` belongs. */
  readonly revision: number;
}

export interface PickedDetails extends NeighbourRows {
  readonly picked: Picked;
  /** True if `stack` was selected itself; false if it is the heaviest stack that contains the function. */
  readonly exactStack: boolean;
  /** Root first; empty if a transform removed the function. */
  readonly stack: readonly PathEntry[];
}

/** The inputs of an analysis. */
export interface ViewInputs {
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  readonly tree: TreeChoice;
}

/** The state that undo restores. The selection's time range and the committed ranges form a `TimeChoice`. */
export interface ViewChoices extends ViewInputs {
  readonly committed: CommittedRanges;
}

/** The state of a view of a profile: the user's choices and the worker's answers. */
export interface ViewState extends ViewChoices, AnalysisState<Analysis, Picked, SearchMatches> {
  readonly orientation: Orientation;
  /** Null selects the default for the profile. */
  readonly colour: ColourChoice | null;
  /**
   * True if the view shares threads, time range, transforms, search and selection with the other linked views of the
   * tab.
   */
  readonly linked: boolean;
  readonly analysing: boolean;
  readonly time: TimeDisplay;
  readonly graphPlaces: GraphPlaces;
  readonly tables: TablesDisplay;
  readonly source: SourceLook;
  readonly details: PickedDetails | null;
}

/**
 * The moment under the pointer in nanoseconds after the profile's time origin, and where it was pointed at; null if
 * none.
 */
export interface PointedTime {
  readonly time: number | null;
  readonly on: 'strip' | 'graph';
}

/** Zoomed places of the graphs other than the call tree; null shows the whole graph. */
export interface GraphPlaces {
  readonly timeOrder: GraphPlace | null;
  readonly sandwich: {
    readonly centre: FunctionRef;
    readonly callers: GraphPlace | null;
    readonly callees: GraphPlace | null;
  } | null;
}

const TREE_ROOT = 0 as CallNodeIndex;

/** The state before the worker has answered. */
export const UNANSWERED = {
  analysis: null,
  analysing: false,
  problem: null,
  zoomNode: TREE_ROOT,
  search: { status: 'none' },
  picked: null,
  details: null,
} as const satisfies Partial<ViewState>;

/** Returns the state that shows all samples of one value type. */
export function initialViewState(valueType: ValueTypeIndex): ViewState {
  return {
    selection: { valueType, threads: null, timeRange: null },
    transforms: [],
    tree: { kind: 'top-down' },
    committed: NO_COMMITS,
    orientation: 'icicle',
    colour: null,
    linked: true,
    time: INITIAL_TIME_DISPLAY,
    zoomPath: [],
    graphPlaces: { timeOrder: null, sandwich: null },
    tables: INITIAL_TABLES_DISPLAY,
    source: INITIAL_SOURCE_LOOK,
    searchText: '',
    pickedPlace: null,
    ...UNANSWERED,
  };
}

/** Returns the inputs of the analysis from a view's state. */
export function inputsOf({ selection, transforms, tree }: ViewInputs): ViewInputs {
  return { selection, transforms, tree };
}

/** Returns the parts of a view's state that undo restores. */
export function choicesOf(state: ViewChoices): ViewChoices {
  return { ...inputsOf(state), committed: state.committed };
}

export function sameChoices(a: ViewChoices, b: ViewChoices): boolean {
  return sameInputs(a, b) && a.committed === b.committed;
}

/** Compares the parts by identity, so setting a value to itself is not a change. */
export function sameInputs(a: ViewInputs, b: ViewInputs): boolean {
  return (
    a.selection.valueType === b.selection.valueType &&
    a.selection.threads === b.selection.threads &&
    a.selection.timeRange === b.selection.timeRange &&
    a.transforms === b.transforms &&
    a.tree === b.tree
  );
}
