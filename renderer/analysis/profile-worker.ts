import { createPatternRunner, createPatternSearches } from './pattern-search.ts';
import { describeProfile } from './describe-profile.ts';
import { createProfileSession } from './profile-session.ts';
import type { ProfileSession } from './profile-session.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { GraphRef } from './graph-protocol.ts';
import type {
  OpenedProfile,
  WorkerMessage,
  WorkerMethod,
  WorkerMethods,
  WorkerParams,
  WorkerRequest,
  WorkerResult,
} from './protocol.ts';
import { keepCache, readSource } from './read-source.ts';
import { RequestFailure } from './request-failure.ts';
import { exportSeen, previewOf } from './seen-requests.ts';
import { columnsOf, rest, serveRequests, startRegex } from './serve-requests.ts';
import type { RequestHandlers } from './serve-requests.ts';

/** A profile's worker: messages in, messages out. The window ends the worker to cancel. */

let session: ProfileSession | null = null;

function post(message: WorkerMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

async function open(params: WorkerParams<'open'>): Promise<OpenedProfile> {
  const profile = await readSource(params, post);
  const patterns = { ofTransforms: createPatternRunner(startRegex), newSearch: createPatternSearches(startRegex) };
  session = createProfileSession(profile, patterns, rest);
  return describeProfile(profile);
}

/** Patterns that are tried and exported; an analysis has its own, so that neither waits for the other. */
const otherPatterns = createPatternRunner(startRegex);

function loaded(): ProfileSession {
  if (session === null) throw new RequestFailure('stale', 'no profile is open');
  return session;
}

function graphSource({ revision, graph }: { revision: number; graph: GraphRef }): FlameSource {
  return loaded().graphs.source(loaded().graphSubject(revision), graph);
}

const handlers: RequestHandlers<WorkerMethods> = {
  open,
  cache: (place) => keepCache(loaded().profile, place),
  analyze: (params) => loaded().analyze(params),
  withdraw: ({ revision }) => {
    loaded().withdraw(revision);
    return null;
  },
  audit: ({ revision }) => loaded().audit(revision),
  'close-view': ({ view }) => {
    loaded().closeView(view);
    return null;
  },
  slice: (params) => loaded().source(params.revision).requestSlice(params),
  path: ({ revision, node }) => loaded().source(revision).requestPath(node),
  match: (params) => loaded().source(params.revision).requestMatch(params),
  search: ({ revision, pattern }) => loaded().search(revision, pattern),
  heaviest: ({ revision, func }) => loaded().heaviest(revision, func),
  neighbours: ({ revision, func }) => loaded().neighbours(revision, func),
  'leaf-weights': ({ revision, func }) => loaded().leafWeights(revision, func),
  'source-lines': ({ revision, func }) => loaded().sourceLines(revision, func),
  graph: ({ revision, graph }) => loaded().graphs.facts(loaded().graphSubject(revision), graph),
  'graph-slice': (params) => graphSource(params).requestSlice(params),
  'graph-path': (params) => graphSource(params).requestPath(params.node),
  'graph-match': (params) => graphSource(params).requestMatch(params),
  'graph-node': ({ revision, graph, node }) => loaded().graphs.ownNode(loaded().graphSubject(revision), graph, node),
  'graph-place': ({ revision, graph, node }) => loaded().graphs.place(loaded().graphSubject(revision), graph, node),
  'graph-find': ({ revision, graph, place }) => loaded().graphs.find(loaded().graphSubject(revision), graph, place),
  'graph-moment': ({ revision, graph, at }) => loaded().graphs.moment(loaded().graphSubject(revision), graph, at),
  samples: ({ revision, graph, node }) => loaded().graphs.samples(loaded().graphSubject(revision), graph, node),
  'tree-step': (params) => loaded().tables.step(loaded().tableSubject(params.revision), params),
  'tree-rows': (params) => loaded().tables.rows(loaded().tableSubject(params.revision), params),
  'tree-find': (params) => loaded().tables.find(loaded().tableSubject(params.revision), params),
  sums: (params) => loaded().tables.sums(loaded().tableSubject(params.revision), params),
  'sample-counts': ({ revision }) => loaded().tables.sampleCounts(loaded().tableSubject(revision)),
  'text-ranks': (params) => loaded().tables.ranks(loaded().tableSubject(params.revision), params),
  filter: (params) => loaded().tables.filter(loaded().tableSubject(params.revision), params),
  'describe-view': ({ revision }) => loaded().tables.describe(loaded().tableSubject(revision)),
  'call-edges': (params) => loaded().tables.edges(loaded().tableSubject(params.revision), params),
  'time-strip': ({ revision, window, buckets }) =>
    loaded().times.strip(loaded().timeSubject(revision), window, loaded().times.buckets(window, buckets)),
  'time-function': ({ revision, window, buckets, func }) =>
    loaded().times.functionBars(loaded().timeSubject(revision), window, loaded().times.buckets(window, buckets), func),
  'time-groups': ({ revision, window, buckets, groups }) =>
    loaded().times.groupBars(loaded().timeSubject(revision), window, buckets, groups),
  'time-threads': ({ revision, window, buckets }) =>
    loaded().times.threads(loaded().timeSubject(revision), window, loaded().times.buckets(window, buckets)),
  'time-kinds': ({ revision, window, buckets, threads }) =>
    loaded().times.threadKinds(loaded().timeSubject(revision), window, buckets, threads),
  'time-sample': ({ revision, thread, time, span }) =>
    loaded().times.sampleAt(loaded().timeSubject(revision), thread, time, span),
  'time-place': ({ revision, ...moment }) => loaded().placeAt(revision, moment),
  'heat-map': ({ revision, window, maxColumns }) =>
    loaded().times.heatMap(loaded().timeSubject(revision), window, maxColumns),
  preview: (params) => previewOf(loaded().profile, params, otherPatterns),
  export: (params) => exportSeen(loaded().profile, params, otherPatterns),
  'time-gaps': () => loaded().gaps(),
};

/** Columns move instead of being copied; what the session keeps is copied. */
function transferable(method: WorkerMethod, result: WorkerResult<WorkerMethod>): Transferable[] {
  if (method === 'analyze') return columnsOf((result as WorkerResult<'analyze'>).rows);
  if (method === 'tree-rows') return columnsOf(result as WorkerResult<'tree-rows'>);
  return method === 'text-ranks' ? columnsOf([result]) : [];
}

export function serveProfile(): void {
  serveRequests<WorkerRequest>(handlers, post, (method, result) =>
    transferable(method, result as WorkerResult<WorkerMethod>),
  );
}
