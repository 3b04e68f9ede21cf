import type { FlameSlice, FlameSource, SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import type { ProfileView } from './profile-view.ts';
import type { Analysis, TreeChoice } from '../analysis/protocol.ts';
import { ask, frameBudget, never } from './graph-requests.ts';

/** The call tree of one analysis, which the worker holds. A new analysis is a new source. */
export function workerSource(view: ProfileView, analysis: Analysis): FlameSource {
  const { revision } = analysis;
  return {
    direction: directionOf(analysis.tree.kind),
    totalWeight: analysis.total,
    scale: analysis.total,
    maxDepth: analysis.maxDepth,
    requestSlice: (request) => takeAhead(view, revision, request) ?? askSlice(view, revision, request),
    requestPath: (node) => ask(view, 'path', { revision, node }),
    requestMatch: (request) => ask(view, 'match', { revision, ...request }),
  };
}

/**
 * A tree that is still being made, for a graph that is laid out already and not to be seen. What the graph would draw is asked for ahead, so
 * that it is there when the tree is.
 */
export function comingSource(view: ProfileView, kind: TreeChoice['kind']): FlameSource {
  return {
    direction: directionOf(kind),
    totalWeight: 0,
    scale: 0,
    maxDepth: 0,
    requestSlice: (request) => {
      const revision = view.coming();
      if (revision !== null && !isAsked(view, revision, request)) {
        const answer = askSlice(view, revision, request);
        // Nobody may ever ask for it.
        answer.catch(() => null);
        ahead.set(view, { revision, request: JSON.stringify(request), answer });
      }
      return never();
    },
    requestPath: never,
    requestMatch: never,
  };
}

/** The newest slice that was asked for before its analysis was there. */
interface Ahead {
  readonly revision: number;
  readonly request: string;
  readonly answer: Promise<FlameSlice>;
}

const ahead = new WeakMap<ProfileView, Ahead>();

function isAsked(view: ProfileView, revision: number, request: SliceRequest): boolean {
  const found = ahead.get(view);
  return found?.revision === revision && found.request === JSON.stringify(request);
}

function takeAhead(view: ProfileView, revision: number, request: SliceRequest): Promise<FlameSlice> | null {
  const found = isAsked(view, revision, request) ? ahead.get(view) : undefined;
  ahead.delete(view);
  return found?.answer ?? null;
}

function askSlice(view: ProfileView, revision: number, request: SliceRequest): Promise<FlameSlice> {
  return ask(view, 'slice', { revision, ...request, maxFrames: frameBudget(request.maxFrames) });
}

function directionOf(kind: TreeChoice['kind']): FlameSource['direction'] {
  return kind === 'bottom-up' ? 'bottom-up' : 'top-down';
}
