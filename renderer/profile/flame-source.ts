import type { FlameSource } from '../flame/flame-graph.types.ts';
import type { ProfileView } from '../state/profile-view.ts';
import { WorkerFailure } from '../worker/profile-client.ts';
import type { Analysis, WorkerMethod, WorkerParams, WorkerResult } from '../worker/protocol.ts';

/** The call tree of one analysis, which the worker holds. A new analysis is a new source. */
export function workerSource(view: ProfileView, analysis: Analysis): FlameSource {
  const { revision } = analysis;
  const ask = <M extends WorkerMethod>(method: M, params: WorkerParams<M>): Promise<WorkerResult<M>> => {
    const client = view.client();
    return client === null ? never() : client.call(method, params).catch(unlessOutdated);
  };
  return {
    direction: analysis.tree.kind === 'bottom-up' ? 'bottom-up' : 'top-down',
    totalWeight: analysis.total,
    maxDepth: analysis.maxDepth,
    requestSlice: (request) => ask('slice', { revision, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestPath: (node) => ask('path', { revision, node }),
    requestMatch: (request) => ask('match', { revision, ...request }),
  };
}

/** What one graph may draw by itself is shared by all graphs on screen: they are redrawn in one task. */
function frameBudget(maxFrames: number): number {
  return Math.ceil(maxFrames / Math.max(1, document.querySelectorAll('.flame-graph').length));
}

/** What an outdated view asked for is not answered: its drawing is about to be replaced. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

function unlessOutdated(error: unknown): Promise<never> {
  const outdated = error instanceof WorkerFailure && ['stale', 'cancelled'].includes(error.failure.code);
  if (outdated) return never();
  throw error;
}
