import { useEffect, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { DetailLine, FlameSource } from '../flame/flame-graph.types.ts';
import { count } from '../shell/format.ts';
import { toProblem } from '../state/problem.ts';
import type { ProfileView } from '../state/profile-view.ts';
import { WorkerFailure } from '../worker/profile-client.ts';
import type { GraphFacts, GraphRef } from '../worker/graph-protocol.ts';
import type { Analysis, WorkerMethod, WorkerParams, WorkerResult } from '../worker/protocol.ts';

/** Asks the worker about an analysis. What an outdated view asked for is not answered: its drawing is about to be replaced. */
export function ask<M extends WorkerMethod>(
  view: ProfileView,
  method: M,
  params: WorkerParams<M>,
): Promise<WorkerResult<M>> {
  const client = view.client();
  if (client === null) return never();
  return client.call(method, params).catch((error: unknown) => {
    const outdated = error instanceof WorkerFailure && ['stale', 'cancelled'].includes(error.failure.code);
    if (outdated) return never();
    throw error;
  });
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** What one graph may draw by itself is shared by all graphs on screen: they are redrawn in one task. */
export function frameBudget(maxFrames: number): number {
  return Math.ceil(maxFrames / Math.max(1, document.querySelectorAll('.flame-graph').length));
}

/** A tree beside the analysis' own. */
export function graphSource(
  view: ProfileView,
  { revision }: Analysis,
  graph: GraphRef,
  { totalWeight, maxDepth }: GraphFacts,
): FlameSource {
  return {
    direction: graph.kind === 'callers' ? 'bottom-up' : 'top-down',
    totalWeight,
    scale: totalWeight,
    maxDepth,
    requestSlice: (request) =>
      ask(view, 'graph-slice', { revision, graph, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestPath: (node) => ask(view, 'graph-path', { revision, graph, node }),
    requestMatch: (request) => ask(view, 'graph-match', { revision, graph, ...request }),
  };
}

interface KnownFacts {
  readonly revision: number;
  readonly graph: GraphRef;
  readonly facts: GraphFacts | null;
}

/** Undefined while the graph is being made, null where no sample has a time. `graph` keeps its identity while it means the same. */
export function useGraphFacts(
  view: ProfileView,
  { revision }: Analysis,
  graph: GraphRef | null,
): GraphFacts | null | undefined {
  const [known, setKnown] = useState<KnownFacts | null>(null);
  useEffect(() => {
    if (graph === null) return undefined;
    let current = true;
    ask(view, 'graph', { revision, graph }).then(
      (facts) => {
        if (current) setKnown({ revision, graph, facts });
      },
      (error: unknown) => {
        if (current) view.store.set({ problem: toProblem(error) });
      },
    );
    return () => {
      current = false;
    };
  }, [view, revision, graph]);
  return known?.revision === revision && known.graph === graph ? known.facts : undefined;
}

/** Samples of a frame, and their weight where the drawing shows another unit. */
export async function sampleLines(
  view: ProfileView,
  { revision }: Analysis,
  graph: GraphRef | null,
  node: CallNodeIndex,
  weightText: (weight: number) => string,
): Promise<DetailLine[]> {
  const { samples, weight } = await ask(view, 'samples', { revision, graph, node });
  return [
    { label: 'samples', text: count(samples) },
    ...(weight === null ? [] : [{ label: 'weight', text: weightText(weight) }]),
  ];
}
