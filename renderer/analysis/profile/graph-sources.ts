import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionRef, type FunctionRef, type NamedFunctions } from '#core/analyze/function-ref.ts';
import { calleesView, callersView } from '#core/analyze/tree/sandwich.ts';
import { samplesThrough } from '#core/analyze/tables/stack-weights.ts';
import type { CallTree, Selection, StackView } from '#core/analyze/view/stack-view.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import {
  momentAt,
  timeOrder,
  timeRangeAt,
  type MomentAt,
  type PlacedMoment,
  type TimeOrder,
} from '#core/analyze/time/order.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { viewSamples, NO_ROW, type SampleView } from '#core/analyze/view/build-stack-view.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { treeSource } from '#core/analyze/graph/tree-source.ts';
import type { TreeSource } from '#core/analyze/graph/flame-slice.ts';
import type { GraphFacts, GraphPlace, GraphRef, NodeSamples, SampleWidths } from './graph-protocol.ts';
import type { OwnTree } from '../methods.ts';
import { RequestFailure } from '../request-failure.ts';
import { findPath, nodeAt } from '../tree-places.ts';

const ROOT = 0 as CallNodeIndex;

/** The view of a profile that its graphs show. */
export interface GraphSubject {
  /** As the view's transforms read it. */
  readonly profile: Profile;
  readonly view: StackView;
  readonly selection: Selection;
  readonly resolved: ResolvedTransforms;
  /** The analysis' own tree. */
  readonly tree: CallTree;
  readonly source: TreeSource;
}

/** Provides the trees other than the analysis' own. */
export interface GraphSources {
  facts(subject: GraphSubject, graph: GraphRef): GraphFacts | null;
  /** Returns the source of a graph, or of the analysis' own tree. */
  source(subject: GraphSubject, graph: OwnTree | GraphRef): TreeSource;
  /** Returns the tree of a graph with the functions that its rows refer to. */
  tree(subject: GraphSubject, graph: OwnTree | GraphRef): { readonly table: NamedFunctions; readonly tree: CallTree };
  ownNode(subject: GraphSubject, graph: GraphRef, node: CallNodeIndex): CallNodeIndex | null;
  place(subject: GraphSubject, graph: GraphRef, node: CallNodeIndex): GraphPlace;
  find(subject: GraphSubject, graph: GraphRef, place: GraphPlace): CallNodeIndex;
  moment(subject: GraphSubject, graph: GraphRef, at: MomentAt): PlacedMoment | null;
  samples(subject: GraphSubject, graph: OwnTree | GraphRef, node: CallNodeIndex): NodeSamples;
}

interface Made {
  readonly key: string;
  readonly table: NamedFunctions;
  readonly tree: CallTree;
  readonly source: TreeSource;
  readonly facts: GraphFacts;
  /** Returns the time at which a node of a time-ordered tree shows; null for other trees. */
  readonly spanOf: (node: number) => TimeRange | null;
  readonly moment: (at: MomentAt) => PlacedMoment | null;
  readonly samples: (node: CallNodeIndex) => NodeSamples;
}

/** Creates the sources. They keep one graph of each kind per view, for as long as the view exists. */
export function createGraphSources(): GraphSources {
  const kept = new WeakMap<StackView, Map<GraphRef['kind'], Made | null>>();

  function make({ profile, view, selection, resolved }: GraphSubject, graph: GraphRef): Made | null {
    const key = JSON.stringify(graph);
    if (graph.kind === 'time-order') return makeTimeOrder(key, profile, selection, resolved, graph.widths);
    const half = graph.kind === 'callers' ? callersView(view, graph.func) : calleesView(view, graph.func);
    const tree = buildCallTree(half, graph.kind === 'callers' ? 'bottom-up' : 'top-down');
    const source = treeSource(view.profile, tree);
    const { totalWeight, maxDepth } = source;
    const facts = { totalWeight, maxDepth, cutDepth: tree.cutDepth, time: null };
    const samples = (node: CallNodeIndex): NodeSamples => plainSamples(half, tree, node);
    return { key, table: view.profile, tree, source, facts, spanOf: () => null, moment: () => null, samples };
  }

  function madeFor(subject: GraphSubject, graph: GraphRef): Made | null {
    const ofView = kept.get(subject.view) ?? new Map<GraphRef['kind'], Made | null>();
    kept.set(subject.view, ofView);
    const before = ofView.get(graph.kind);
    if (before === null || before?.key === JSON.stringify(graph)) return before;
    const made = make(subject, graph);
    ofView.set(graph.kind, made);
    return made;
  }

  function at(subject: GraphSubject, graph: GraphRef): Made {
    const made = madeFor(subject, graph);
    if (made === null) throw new RequestFailure('stale', 'no sample in this profile has a timestamp');
    return made;
  }

  return {
    facts: (subject, graph) => madeFor(subject, graph)?.facts ?? null,
    source: (subject, graph) => (graph.kind === 'own' ? subject.source : at(subject, graph).source),
    tree: (subject, graph) =>
      graph.kind === 'own' ? { table: subject.view.profile, tree: subject.tree } : at(subject, graph),
    ownNode(subject, graph, node) {
      // A caller or callee tree holds parts of stacks, which have no single place in the analysis' own tree.
      if (graph.kind !== 'time-order' || subject.tree.direction !== 'top-down') return null;
      return sameNode(at(subject, graph).tree, node, subject.tree);
    },
    place(subject, graph, node) {
      const { table, tree, spanOf } = at(subject, graph);
      return { path: pathOf(table, tree, node), span: spanOf(node) };
    },
    find(subject, graph, { path, span }) {
      const { table, tree, spanOf } = at(subject, graph);
      const places = { table, tree, steps: subject.resolved.steps };
      if (span === null) return findPath(places, path).node;
      const overlap = (node: number): number | null => {
        const own = spanOf(node);
        const shared = own === null ? 0 : Math.min(own.end, span.end) - Math.max(own.start, span.start);
        return shared > 0 ? shared : null;
      };
      return findPath(places, path, overlap).node;
    },
    moment: (subject, graph, place) => at(subject, graph).moment(place),
    samples: (subject, graph, node) =>
      graph.kind === 'own' ? plainSamples(subject.view, subject.tree, node) : at(subject, graph).samples(node),
  };
}

function plainSamples(view: StackView, tree: CallTree, node: CallNodeIndex): NodeSamples {
  return { samples: samplesThrough(view, tree, node), weight: null };
}

function makeTimeOrder(
  key: string,
  profile: Profile,
  selection: Selection,
  resolved: ResolvedTransforms,
  widths: SampleWidths,
): Made | null {
  const samples = viewSamples(profile, selection, resolved);
  const order = timeOrder(samples, { axis: widths });
  if (order === null) return null;
  const { tree, span, withoutTime, withoutTimeWeight } = order;
  const { threads, ofNode } = timedSamples(profile, samples, order);
  const table = samples.view.profile;
  const source = treeSource(table, tree);
  const { totalWeight, maxDepth } = source;
  const { samples: count } = ofNode(ROOT);
  const time = { span, samples: count, threads, withoutTime, withoutTimeWeight, gaps: tree.self[0]! };
  const facts = { totalWeight, maxDepth, cutDepth: tree.cutDepth, time };
  const spanOf = (node: number): TimeRange | null =>
    timeRangeAt(order, profile, tree.start[node]!, tree.start[node]! + tree.total[node]!);
  const moment = (at: MomentAt): PlacedMoment | null => momentAt(order, profile, at);
  return { key, table, tree, source, facts, spanOf, moment, samples: ofNode };
}

function pathOf(table: NamedFunctions, tree: CallTree, node: number): FunctionRef[] {
  const path: FunctionRef[] = [];
  for (let at = node; at > 0; at = tree.parent[at]!) path.push(functionRef(table, tree.func[at]!));
  return path.reverse();
}

/** Returns the node of another top-down tree with the same path of functions; null if there is none. */
function sameNode(tree: CallTree, node: number, other: CallTree): CallNodeIndex | null {
  const path = new Int32Array(tree.depth[node]!);
  for (let at = node, place = path.length - 1; place >= 0; at = tree.parent[at]!, place--) path[place] = tree.func[at]!;
  return nodeAt(other, path);
}

interface TimedSamples {
  readonly threads: number;
  readonly ofNode: (node: CallNodeIndex) => NodeSamples;
}

/**
 * Returns what the widths of a time-ordered tree do not show: the number of samples in each node and, on a time axis,
 * their weight.
 */
function timedSamples(
  { samples }: Profile,
  { rowOfSample, weights }: SampleView,
  { sample, tree, axis }: Pick<TimeOrder, 'sample' | 'tree' | 'axis'>,
): TimedSamples {
  const count = new Int32Array(tree.length);
  const weight = new Float64Array(tree.length);
  const threads = new Set<number>();
  for (let place = 0; place < sample.length; place++) {
    const one = sample[place]!;
    // Listed only because it ends the preceding sample.
    if (rowOfSample[one] === NO_ROW.hidden) continue;
    threads.add(samples.thread[one]!);
    const node = tree.nodeOfSample[place]!;
    count[node]! += 1;
    weight[node]! += weights[one]!;
  }
  for (let node = tree.length - 1; node > 0; node--) {
    const parent = tree.parent[node]!;
    count[parent]! += count[node]!;
    weight[parent]! += weight[node]!;
  }
  const ofNode = (node: CallNodeIndex): NodeSamples => ({
    samples: count[node]!,
    weight: axis === 'time' ? weight[node]! : null,
  });
  return { threads: threads.size, ofNode };
}
