import type { CallNodeIndex, FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import type { Selection } from '#core/analyze/stack-view.ts';
import type { Orientation, PathEntry } from '../flame/flame-graph.types.ts';
import type { Analysis, Histogram, NeighbourRow, SearchMatches, TreeChoice } from '../worker/protocol.ts';
import type { Problem } from './problem.ts';

export type SearchState =
  | { readonly status: 'none' }
  | { readonly status: 'running' }
  | { readonly status: 'matched'; readonly matches: SearchMatches }
  | { readonly status: 'refused'; readonly message: string };

/** What the user picked: a function, and where it was picked in the graph also the row of the call tree. */
export interface Picked {
  readonly func: FunctionIndex;
  readonly node: CallNodeIndex | null;
  /** Of the analysis that `node` belongs to. */
  readonly revision: number;
}

export interface PickedDetails {
  readonly picked: Picked;
  /** The stack is the one that was picked; else it is the heaviest that holds the function. */
  readonly exactStack: boolean;
  /** Root first; empty where a transform removed the function. */
  readonly stack: readonly PathEntry[];
  readonly callers: readonly NeighbourRow[];
  readonly callees: readonly NeighbourRow[];
}

/** What the worker is asked to analyse: what undo brings back. */
export interface ViewInputs {
  readonly selection: Selection;
  readonly transforms: readonly NamedTransform[];
  readonly tree: TreeChoice;
}

/** One way of looking at a profile: what the user chose, and what the worker answered. */
export interface ViewState extends ViewInputs {
  readonly orientation: Orientation;
  /** Of the inputs or of earlier ones, until the worker has answered. Null before the first. */
  readonly analysis: Analysis | null;
  readonly analysing: boolean;
  /** Why the newest analysis failed. */
  readonly problem: Problem | null;
  /** `key` names the selection it was made for. */
  readonly histogram: (Histogram & { readonly key: string }) | null;
  readonly zoomNode: CallNodeIndex;
  readonly searchText: string;
  readonly search: SearchState;
  readonly picked: Picked | null;
  readonly details: PickedDetails | null;
}

export const TREE_ROOT = 0 as CallNodeIndex;

/** All samples of one value type, as they are. */
export function initialViewState(valueType: ValueTypeIndex): ViewState {
  return {
    selection: { valueType, threads: null, timeRange: null },
    transforms: [],
    tree: { kind: 'top-down' },
    orientation: 'flame',
    analysis: null,
    analysing: false,
    problem: null,
    histogram: null,
    zoomNode: TREE_ROOT,
    searchText: '',
    search: { status: 'none' },
    picked: null,
    details: null,
  };
}
