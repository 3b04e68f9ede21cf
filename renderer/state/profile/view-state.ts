import type { CallNodeIndex, FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { Orientation } from '../../ui/flame/flame-graph.types.ts';
import type { ColourChoice } from '../colour-choice.ts';
import type { GraphPlace } from '../../analysis/profile/graph-protocol.ts';
import type { Analysis, NeighbourRows, SearchMatches, TreeChoice } from '../../analysis/profile/protocol.ts';
import { NO_COMMITS } from '../../ui/time/committed-ranges.ts';
import type { CommittedRanges } from '../../ui/time/committed-ranges.ts';
import { INITIAL_TIME_LOOK } from '../time/time-look.ts';
import type { TimeLook } from '../time/time-look.ts';
import { INITIAL_SOURCE_LOOK } from '../source/source.types.ts';
import type { SourceLook } from '../source/source.types.ts';
import { INITIAL_TABLES_LOOK } from '../../ui/table/tables-look.ts';
import type { TablesLook } from '../../ui/table/tables-look.ts';
import type { AnalysisState } from '../analysis/analysis-view.ts';

/** What the user picked: a function, and where it was picked in the graph also the row of the call tree. */
export interface Picked {
  readonly func: FunctionIndex;
  readonly node: CallNodeIndex | null;
  /** Of the analysis that `node` belongs to. */
  readonly revision: number;
}

export interface PickedDetails extends NeighbourRows {
  readonly picked: Picked;
  /** The stack is the one that was picked; else it is the heaviest that holds the function. */
  readonly exactStack: boolean;
  /** Root first; empty where a transform removed the function. */
  readonly stack: readonly PathEntry[];
}

/** What the worker is asked to analyse. */
export interface ViewInputs {
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  readonly tree: TreeChoice;
}

/** What undo brings back. The selection's time range and the committed ones are a `TimeChoice`. */
export interface ViewChoices extends ViewInputs {
  readonly committed: CommittedRanges;
}

/** One way of looking at a profile: what the user chose, and what the worker answered. */
export interface ViewState extends ViewChoices, AnalysisState<Analysis, Picked, SearchMatches> {
  readonly orientation: Orientation;
  /** Null: what suits the profile. */
  readonly colour: ColourChoice | null;
  /** Follows, and leads, the other linked views of the tab: threads, time range, transforms, search and what is picked. */
  readonly linked: boolean;
  readonly analysing: boolean;
  readonly time: TimeLook;
  readonly graphPlaces: GraphPlaces;
  readonly tables: TablesLook;
  readonly source: SourceLook;
  readonly details: PickedDetails | null;
}

/** What moment the pointer is on, in nanoseconds of the profile, and where; null: on none. */
export interface PointedTime {
  readonly time: number | null;
  readonly on: 'strip' | 'graph';
}

/** Where graphs beside the call tree are zoomed; null: they show all. */
export interface GraphPlaces {
  readonly timeOrder: GraphPlace | null;
  readonly sandwich: {
    readonly centre: FunctionRef;
    readonly callers: GraphPlace | null;
    readonly callees: GraphPlace | null;
  } | null;
}

const TREE_ROOT = 0 as CallNodeIndex;

/** What a view's worker has answered, before it has. */
export const UNANSWERED = {
  analysis: null,
  analysing: false,
  problem: null,
  zoomNode: TREE_ROOT,
  search: { status: 'none' },
  picked: null,
  details: null,
} as const satisfies Partial<ViewState>;

/** All samples of one value type, as they are. */
export function initialViewState(valueType: ValueTypeIndex): ViewState {
  return {
    selection: { valueType, threads: null, timeRange: null },
    transforms: [],
    tree: { kind: 'top-down' },
    committed: NO_COMMITS,
    orientation: 'flame',
    colour: null,
    linked: true,
    time: INITIAL_TIME_LOOK,
    zoomPath: [],
    graphPlaces: { timeOrder: null, sandwich: null },
    tables: INITIAL_TABLES_LOOK,
    source: INITIAL_SOURCE_LOOK,
    searchText: '',
    pickedPlace: null,
    ...UNANSWERED,
  };
}

/** What is analysed, of a view's state. */
export function inputsOf({ selection, transforms, tree }: ViewInputs): ViewInputs {
  return { selection, transforms, tree };
}

/** What undo brings back, of a view's state. */
export function choicesOf(state: ViewChoices): ViewChoices {
  return { ...inputsOf(state), committed: state.committed };
}

export function sameChoices(a: ViewChoices, b: ViewChoices): boolean {
  return sameInputs(a, b) && a.committed === b.committed;
}

/** By identity of the parts: what was set again as it was is the same. */
export function sameInputs(a: ViewInputs, b: ViewInputs): boolean {
  return (
    a.selection.valueType === b.selection.valueType &&
    a.selection.threads === b.selection.threads &&
    a.selection.timeRange === b.selection.timeRange &&
    a.transforms === b.transforms &&
    a.tree === b.tree
  );
}
