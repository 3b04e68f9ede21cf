import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameSource, TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import { frameBudget } from '../../ui/flame/slice-requests.ts';
import { useZoom, type Zoom } from '../../ui/flame/use-zoom.ts';
import type { DetailLine } from '../../ui/flame/graph.types.ts';
import { count } from '../../ui/format.ts';
import { toProblem } from '../problem.ts';
import { useKeptRange } from '../kept-ranges.ts';
import { useStore } from '../store.ts';
import type { ProfileView } from './view.ts';
import type { GraphPlaces } from './view-state.ts';
import type { GraphFacts, GraphPlace, GraphRef } from '../../analysis/profile/graph-protocol.ts';
import { OWN_TREE, type OwnTree } from '../../analysis/methods.ts';
import type { Analysis } from '../../analysis/profile/protocol.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

const ROOT = 0 as CallNodeIndex;

/** Returns the source of one analysis' tree, which the worker holds. A new analysis has a new source. */
function graphSource(
  view: ProfileView,
  { revision }: Analysis,
  tree: OwnTree | GraphRef,
  { direction, totalWeight, maxDepth }: Pick<FlameSource, 'direction' | 'totalWeight' | 'maxDepth'>,
): FlameSource {
  return {
    lineage: view.lineage(),
    revision,
    direction,
    totalWeight,
    scale: totalWeight,
    maxDepth,
    requestSlice: (request) =>
      view.ask('slice', { revision, tree, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestPath: (node) => view.ask('path', { revision, tree, node }),
    requestMatch: (request) => view.ask('match', { revision, tree, ...request }),
    requestSelf: (request) => view.ask('self-weights', { revision, tree, ...request }),
  };
}

/** Returns the source of the analysis' own tree. */
export function ownSource(view: ProfileView, analysis: Analysis): FlameSource {
  const direction = analysis.tree.kind === 'bottom-up' ? 'bottom-up' : 'top-down';
  return graphSource(view, analysis, OWN_TREE, { direction, totalWeight: analysis.total, maxDepth: analysis.maxDepth });
}

/** Returns the source of a tree other than the analysis' own. */
export function besideSource(view: ProfileView, analysis: Analysis, graph: GraphRef, facts: GraphFacts): FlameSource {
  return graphSource(view, analysis, graph, {
    direction: graph.kind === 'callers' ? 'bottom-up' : 'top-down',
    ...facts,
  });
}

/** What a graph needs for its first drawing. */
export interface GraphStart {
  readonly facts: GraphFacts;
  /** The zoomed node of the previous graph, or its deepest caller in this one. */
  readonly zoomed: CallNodeIndex;
}

interface KnownStart {
  readonly analysis: Analysis;
  readonly lineage: TreeLineage;
  readonly graph: GraphRef;
  readonly start: GraphStart | null;
}

/** A graph's start with its analysis, which is the previous one while that of a grown profile is being built. */
export interface ShownStart {
  readonly start: GraphStart | null;
  readonly analysis: Analysis;
}

/**
 * Returns undefined while the graph is being built; its start is null if no sample has a timestamp. `graph` and `placeIn`, the
 * previous zoom, must keep their identity while their meaning is unchanged.
 */
export function useGraphStart(
  view: ProfileView,
  analysis: Analysis,
  graph: GraphRef,
  placeIn: (places: GraphPlaces) => GraphPlace | null,
): ShownStart | undefined {
  const { revision } = analysis;
  const [known, setKnown] = useState<KnownStart | null>(null);
  useEffect(() => {
    const lineage = view.lineage();
    const start = async (): Promise<GraphStart | null> => {
      const facts = await view.ask('graph', { revision, tree: graph });
      const place = placeIn(view.store.get().graphPlaces);
      if (facts === null) return null;
      return { facts, zoomed: place === null ? ROOT : await view.ask('graph-find', { revision, tree: graph, place }) };
    };
    return takeAnswer(
      start(),
      (found) => setKnown({ analysis, lineage, graph, start: found }),
      (error) => view.store.set({ problem: toProblem(error) }),
    );
  }, [view, analysis, revision, graph, placeIn]);
  const isShown = known?.graph === graph && (known.analysis === analysis || known.lineage === view.lineage());
  return isShown ? known : undefined;
}

export interface GraphZoom {
  /** The node that the graph starts with. */
  readonly first: CallNodeIndex;
  /** The node that shows the whole graph. */
  readonly home: CallNodeIndex;
  /** Returns the graph's place; null if the whole graph shows. Must keep its identity. */
  readonly placeIn: (places: GraphPlaces) => GraphPlace | null;
  /** Receives where the user zooms. */
  readonly keep: (place: GraphPlace | null) => void;
}

/** Returns the zoom of a graph other than the call tree. It follows the kept place, which Back and Forward change. */
export function useGraphZoom(
  view: ProfileView,
  analysis: Analysis,
  graph: GraphRef,
  source: FlameSource,
  { first, home, placeIn, keep }: GraphZoom,
): Zoom {
  const { revision } = analysis;
  const kept = useStore(view.store, ({ graphPlaces }) => placeIn(graphPlaces));
  /** The place that this graph shows or has asked for. */
  const own = useRef(kept);
  const [rootNode, setRootNode] = useState(first);
  const [shown, setShown] = useState(analysis);
  if (shown !== analysis) {
    setShown(analysis);
    setRootNode(first);
  }
  const newest = useRef(rootNode);
  const show = useCallback(
    (wanted: CallNodeIndex): CallNodeIndex => {
      const node = wanted < home ? home : wanted;
      newest.current = node;
      setRootNode(node);
      return node;
    },
    [home],
  );
  useEffect(() => {
    if (kept === own.current) return;
    own.current = kept;
    const found =
      kept === null ? Promise.resolve(home) : view.ask('graph-find', { revision, tree: graph, place: kept });
    void found.then((node) => {
      if (own.current === kept) show(node);
    });
  }, [kept, view, revision, graph, home, show]);
  const zoomTo = (wanted: CallNodeIndex): void => {
    const node = show(wanted);
    const keepOwn = (place: GraphPlace | null): void => {
      own.current = place;
      keep(place);
    };
    if (node === home) return keepOwn(null);
    void view.ask('graph-place', { revision, tree: graph, node }).then((place) => {
      if (newest.current === node) keepOwn(place);
    });
  };
  return useZoom(source, rootNode, zoomTo, { home, keeper: useKeptRange(view.ranges, JSON.stringify(graph)) });
}

/** Returns the samples of a frame and, if the drawing shows another unit, their weight. */
export async function sampleLines(
  view: ProfileView,
  { revision }: Analysis,
  tree: OwnTree | GraphRef,
  node: CallNodeIndex,
  weightText: (weight: number) => string,
): Promise<DetailLine[]> {
  const { samples, weight } = await view.ask('samples', { revision, tree, node });
  return [
    { label: 'samples', text: count(samples) },
    ...(weight === null ? [] : [{ label: 'weight', text: weightText(weight) }]),
  ];
}
