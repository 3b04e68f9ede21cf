import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { MomentAt, PlacedMoment, TimeOrder } from '#core/analyze/time/time-order.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { OwnTree } from '../methods.ts';

/** How wide a sample is in a graph in order of time: as the time until the next one, or as its weight. */
export type SampleWidths = TimeOrder['axis'];

/** A tree that a graph shows beside the analysis' own; the worker makes it when it is first asked for. */
export type GraphRef =
  | { readonly kind: 'time-order'; readonly widths: SampleWidths }
  /** One half of a sandwich. */
  | { readonly kind: 'callers' | 'callees'; readonly func: FunctionIndex };

/** A node of such a tree in words that hold in another tree of the kind. */
export interface GraphPlace {
  /** From below the tree's root down. */
  readonly path: readonly FunctionRef[];
  /** In order of time: nanoseconds after the profile's time origin; else null. */
  readonly span: TimeRange | null;
}

export interface GraphFacts {
  /** Of the tree's root: where widths are time nanoseconds, else in the value type's unit. */
  readonly totalWeight: number;
  /** Below the tree's root. */
  readonly maxDepth: number;
  /** Frames deeper than this are left out, their weight is in what is above; null: none is. */
  readonly cutDepth: number | null;
  /** Null for trees that are not in order of time. */
  readonly time: GraphTime | null;
}

export interface GraphTime {
  readonly span: TimeRange;
  /** Samples side by side. */
  readonly samples: number;
  /** Threads that have samples here: more than one are drawn into one row of stacks. */
  readonly threads: number;
  /** Samples that have no time, and what they weigh: they are not in the graph, or in none of its stacks where widths are weights. */
  readonly withoutTime: number;
  readonly withoutTimeWeight: number;
  /** What shows no stack: nanoseconds that no sample covers, or weight without a stack or a time. */
  readonly gaps: number;
}

/** What a frame stands for beyond its width. */
export interface NodeSamples {
  readonly samples: number;
  /** In the value type's unit, where the frame's width is not; else null. */
  readonly weight: number | null;
}

type Of<T> = T & { readonly revision: number; readonly tree: GraphRef };

/** What is asked of trees beside the analysis' own. */
export interface GraphMethods {
  /** Null where no sample has a time. */
  graph: { params: Of<object>; result: GraphFacts | null };
  /** The analysis' own node of the same stack; null where there is none, or several. */
  'graph-node': { params: Of<{ node: CallNodeIndex }>; result: CallNodeIndex | null };
  'graph-place': { params: Of<{ node: CallNodeIndex }>; result: GraphPlace };
  /** The place, or the deepest of its callers that this tree has. */
  'graph-find': { params: Of<{ place: GraphPlace }>; result: CallNodeIndex };
  /** The moment at a place of a graph in order of time, in the unit of its widths, or the place of a moment; null where no sample is. */
  'graph-moment': { params: Of<{ at: MomentAt }>; result: PlacedMoment | null };
  /** Samples that a frame stands for. */
  samples: {
    params: { readonly revision: number; readonly tree: OwnTree | GraphRef; readonly node: CallNodeIndex };
    result: NodeSamples;
  };
}
