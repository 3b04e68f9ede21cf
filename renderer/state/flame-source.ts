import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { ProfileView } from './profile-view.ts';
import type { Analysis } from '../analysis/protocol.ts';
import { ask, frameBudget } from './graph-requests.ts';

/** The call tree of one analysis, which the worker holds. A new analysis is a new source. */
export function workerSource(view: ProfileView, analysis: Analysis): FlameSource {
  const { revision } = analysis;
  return {
    direction: analysis.tree.kind === 'bottom-up' ? 'bottom-up' : 'top-down',
    totalWeight: analysis.total,
    scale: analysis.total,
    maxDepth: analysis.maxDepth,
    requestSlice: (request) => ask(view, 'slice', { revision, ...request, maxFrames: frameBudget(request.maxFrames) }),
    requestPath: (node) => ask(view, 'path', { revision, node }),
    requestMatch: (request) => ask(view, 'match', { revision, ...request }),
  };
}
