import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { SelfRequest, SelfWeights } from '#core/analyze/graph/flame-slice.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { MomentAt, PlacedMoment, TimeOrder } from '#core/analyze/time/order.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { OwnTree } from '../methods.ts';

/** Determines a sample's width in a time-ordered graph: the time until the next sample, or its weight. */
export type SampleWidths = TimeOrder['axis'];

/** Refers to a tree other than the analysis' own; the worker builds it on first use. */
export type GraphRef =
  | { readonly kind: 'time-order'; readonly widths: SampleWidths }
  /** One half of a sandwich view. */
  | { readonly kind: 'callers' | 'callees'; readonly func: FunctionIndex };

/** Names a node of such a tree, so that it can be found in another tree of the same kind. */
export interface GraphPlace {
  /** Path from below the tree's root down. */
  readonly path: readonly FunctionRef[];
  /** The node's time in nanoseconds after the profile's time origin if the tree is time-ordered, else null. */
  readonly span: TimeRange | null;
}

export interface GraphFacts {
  /** Total of the tree's root: in nanoseconds if widths are time, else in the value type's unit. */
  readonly totalWeight: number;
  /** Depth below the tree's root. */
  readonly maxDepth: number;
  /** Frames deeper than this are omitted and their weight is counted in their callers; null if none are. */
  readonly cutDepth: number | null;
  /** Null for trees that are not time-ordered. */
  readonly time: GraphTime | null;
}

export interface GraphTime {
  readonly span: TimeRange;
  /** Number of samples, drawn side by side. */
  readonly samples: number;
  /** Number of threads with samples here; if there are several, one row of stacks shows them all. */
  readonly threads: number;
  /**
   * Number of samples without a timestamp, and their weight. They are not in the graph; if widths are weights, they are
   * shown as a gap.
   */
  readonly withoutTime: number;
  readonly withoutTimeWeight: number;
  /** Width without a stack: nanoseconds without a sample, or weight without a stack or timestamp. */
  readonly gaps: number;
}

/** Describes what a frame represents beyond its width. */
export interface NodeSamples {
  readonly samples: number;
  /** Weight in the value type's unit if the frame's width is not that weight, else null. */
  readonly weight: number | null;
}

type Of<T> = T & { readonly revision: number; readonly tree: GraphRef };

/** Requests about trees other than the analysis' own. */
export interface GraphMethods {
  /** Null if no sample has a timestamp. */
  graph: { params: Of<object>; result: GraphFacts | null };
  /** Returns the node of the same stack in the analysis' own tree; null if there is none or several. */
  'graph-node': { params: Of<{ node: CallNodeIndex }>; result: CallNodeIndex | null };
  'graph-place': { params: Of<{ node: CallNodeIndex }>; result: GraphPlace };
  /** Returns the place, or its deepest caller that exists in this tree. */
  'graph-find': { params: Of<{ place: GraphPlace }>; result: CallNodeIndex };
  /**
   * Converts a position in a time-ordered graph, in the unit of its widths, to a moment, or a moment to its position;
   * null if there is no sample.
   */
  'graph-moment': { params: Of<{ at: MomentAt }>; result: PlacedMoment | null };
  /** Returns what the weight of a tree's node is made of. */
  'self-weights': {
    params: SelfRequest & { readonly revision: number; readonly tree: OwnTree | GraphRef };
    result: SelfWeights;
  };
  /** Returns the samples that a frame represents. */
  samples: {
    params: { readonly revision: number; readonly tree: OwnTree | GraphRef; readonly node: CallNodeIndex };
    result: NodeSamples;
  };
}
