import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { anchorNotes, type AnchorPlaces } from '#core/notes/anchor-notes.ts';
import type { AnalysisMethods, ParamsOf, ResultOf, SourceTypes } from './methods.ts';
import type { PatternSearch } from './pattern-search.ts';
import type { RequestHandlers } from './serve-requests.ts';
import { findPlaces, heaviestRow, shownAs } from './tree-places.ts';
import { compareText } from '#core/analyze/compare-text.ts';
import type { FunctionText } from '#core/analyze/tables/table-protocol.ts';

/** The requests that a graph sends to a tree. */
export type TreeRequests = Pick<FlameSource, 'requestSlice' | 'requestPath' | 'requestMatch'>;

/** An analysis, in the form that the methods shared by all sources use. */
export interface Analysed {
  readonly table: NamedFunctions;
  /** The analysis' own tree. */
  readonly tree: CallTree;
  readonly steps: ResolvedTransforms['steps'];
  /** Function names by index, in the form that patterns take. */
  readonly names: readonly string[];
  readonly search: PatternSearch;
  /** The search of the tables' filter. */
  readonly filter: PatternSearch;
}

type MethodParams<S extends SourceTypes, M extends keyof AnalysisMethods<S>> = ParamsOf<AnalysisMethods<S>, M>;
type MethodResult<S extends SourceTypes, M extends keyof AnalysisMethods<S>> = ResultOf<AnalysisMethods<S>, M>;

/** One open source and its analyses. The worker's entry point adds messages, files and the regex worker. */
export interface AnalysisSession<S extends SourceTypes> {
  analyze(params: MethodParams<S, 'analyze'>): Promise<S['answer']>;
  /** Cancels a running analysis at its next step. */
  withdraw(revision: number): void;
  /** Throws a `RequestFailure` (`stale`) unless the revision is the newest of its view. */
  at(revision: number): Analysed;
  source(revision: number, tree: S['tree']): TreeRequests;
  audit(revision: number): S['audit'];
  /** Returns the weight of matching functions; `flags` is 1 for each match, by function index. */
  matches(revision: number, flags: Uint8Array): S['matches'];
  sums(params: MethodParams<S, 'sums'>): S['sums'];
  preview(params: S['previewed']): Promise<S['preview']>;
  timeStrip(params: MethodParams<S, 'time-strip'>): MethodResult<S, 'time-strip'>;
}

/** Methods that all sources answer alike. */
type SharedMethods<S extends SourceTypes> = Omit<AnalysisMethods<S>, 'open' | 'cache'>;

export function sharedHandlers<S extends SourceTypes>(
  session: () => AnalysisSession<S>,
): RequestHandlers<SharedMethods<S>> {
  const handlers: { [M in keyof SharedMethods<S>]: (params: MethodParams<S, M>) => unknown } = {
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
    'anchor-notes': ({ revision, anchors }) => {
      const { table, tree, steps } = session().at(revision);
      return anchorNotes(anchors, { table, tree, live: occurring(tree, table), ...shownBy(steps) });
    },
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

/**
 * Returns each function's rank when sorted by a text, by function index; equal texts have equal ranks. Texts are
 * compared by UTF-16 code units. Sorting a million names takes a second, so the worker ranks each column once and the
 * table sorts numbers.
 */
export function textRanks({ functions, strings }: NamedFunctions, by: FunctionText): Int32Array {
  const column = by === 'source' ? functions.file : functions[by];
  const ranks = stringRanks(strings, column);
  const ranked = Int32Array.from(column, (string) => ranks[string]!);
  return by === 'source' ? withLines(ranked, functions.line) : ranked;
}

function stringRanks(strings: readonly string[], used: Int32Array): Int32Array {
  const ranks = new Int32Array(strings.length).fill(-1);
  const sorted = [...new Set(used)].map((index) => [strings[index]!, index] as const);
  sorted.sort(([a], [b]) => compareText(a, b));
  let rank = -1;
  sorted.forEach(([text, index], place) => {
    if (place === 0 || sorted[place - 1]![0] !== text) rank += 1;
    ranks[index] = rank;
  });
  return ranks;
}

function withLines(files: Int32Array, lines: Int32Array): Int32Array {
  const order = Int32Array.from(files.keys()).sort((a, b) => files[a]! - files[b]! || lines[a]! - lines[b]!);
  const ranks = new Int32Array(files.length);
  order.forEach((func, place) => {
    const before = order[place - 1];
    const isSame = before !== undefined && files[before] === files[func] && lines[before] === lines[func];
    ranks[func] = isSame ? ranks[before]! : place;
  });
  return ranks;
}

/** Returns 1 for each function that occurs in the tree, by function index. */
function occurring({ func }: CallTree, { functions }: NamedFunctions): Uint8Array {
  const live = new Uint8Array(functions.length);
  for (const one of func) if (one >= 0) live[one] = 1;
  return live;
}

const shownBy = (steps: ResolvedTransforms['steps']): Pick<AnchorPlaces, 'shownAs'> =>
  steps.length === 0 ? {} : { shownAs: (func) => shownAs(func, steps) };
