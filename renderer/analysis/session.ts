import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import type { AnalysisMethods, ParamsOf, ResultOf, SourceTypes } from './methods.ts';
import type { PatternSearch } from './pattern-search.ts';
import type { RequestHandlers } from './serve-requests.ts';
import { textRanks } from './text-ranks.ts';
import { findPlaces, heaviestRow } from './tree-places.ts';

/** What a graph asks of a tree. */
export type TreeRequests = Pick<FlameSource, 'requestSlice' | 'requestPath' | 'requestMatch'>;

/** An analysis of a source, as the methods that all sources share see it. */
export interface Analysed {
  readonly table: NamedFunctions;
  /** The analysis' own tree. */
  readonly tree: CallTree;
  readonly steps: ResolvedTransforms['steps'];
  /** By function, as patterns take them. */
  readonly names: readonly string[];
  readonly search: PatternSearch;
  /** The tables' own. */
  readonly filter: PatternSearch;
}

type Params<S extends SourceTypes, M extends keyof AnalysisMethods<S>> = ParamsOf<AnalysisMethods<S>, M>;
type Result<S extends SourceTypes, M extends keyof AnalysisMethods<S>> = ResultOf<AnalysisMethods<S>, M>;

/** One open source and its analyses. The worker's entry adds messages, files and the regex worker. */
export interface AnalysisSession<S extends SourceTypes> {
  analyze(params: Params<S, 'analyze'>): Promise<S['answer']>;
  /** Ends an analysis that still runs, at its next step. */
  withdraw(revision: number): void;
  /** Throws a `RequestFailure` (`stale`) unless the revision is the newest of its view. */
  at(revision: number): Analysed;
  source(revision: number, tree: S['tree']): TreeRequests;
  audit(revision: number): S['audit'];
  /** What matching functions weigh; `flags`: 1 per match, by function index. */
  matches(revision: number, flags: Uint8Array): S['matches'];
  sums(params: Params<S, 'sums'>): S['sums'];
  preview(params: S['previewed']): Promise<S['preview']>;
  timeStrip(params: Params<S, 'time-strip'>): Result<S, 'time-strip'>;
}

/** Methods that every source answers alike. */
export type SharedMethods<S extends SourceTypes> = Omit<AnalysisMethods<S>, 'open' | 'cache'>;

export function sharedHandlers<S extends SourceTypes>(
  session: () => AnalysisSession<S>,
): RequestHandlers<SharedMethods<S>> {
  const handlers: { [M in keyof SharedMethods<S>]: (params: Params<S, M>) => unknown } = {
    analyze: (params) => session().analyze(params),
    'find-places': ({ revision, ...places }) => findPlaces(session().at(revision), places),
    withdraw: ({ revision }) => {
      session().withdraw(revision);
      return null;
    },
    audit: ({ revision }) => session().audit(revision),
    slice: ({ revision, tree, ...request }) => session().source(revision, tree).requestSlice(request),
    path: ({ revision, tree, node }) => session().source(revision, tree).requestPath(node),
    match: ({ revision, tree, ...request }) => session().source(revision, tree).requestMatch(request),
    heaviest: ({ revision, func }) => heaviestRow(session().at(revision).tree, func),
    search: async ({ revision, pattern }) => {
      const { search, names } = session().at(revision);
      return session().matches(revision, await search(names, pattern));
    },
    filter: ({ revision, pattern }) => {
      const { filter, names } = session().at(revision);
      return filter(names, pattern);
    },
    'text-ranks': ({ revision, by }) => textRanks(session().at(revision).table, by),
    sums: (params) => session().sums(params),
    preview: (params) => session().preview(params),
    'time-strip': (params) => session().timeStrip(params),
  };
  return handlers as RequestHandlers<SharedMethods<S>>;
}
