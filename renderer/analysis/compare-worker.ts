import { selfTest, selfTestCaptures } from '#core/compare/statistics/self-test.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { findMatch } from '../../core/analyze/graph/tree-source.ts';
import { findPlaces } from './compare-answer.ts';
import { auditComparison } from './compare-audit.ts';
import type {
  CompareMessage,
  CompareMethod,
  CompareMethods,
  CompareRequest,
  CompareRequestParams,
  CompareResult,
} from './compare-methods.ts';
import type { OpenedCapture } from './compare-protocol.ts';
import { pathDetail, previewBoth, previewUserRule, searchBoth, selectedDelta } from './compare-requests.ts';
import { createCompareSession } from './compare-session.ts';
import { carryRange, comparePath, compareSlice } from './compare-slices.ts';
import { createPatternRunner, createPatternSearches } from './pattern-search.ts';
import { keepCache, readSource } from './read-source.ts';
import { columnsOf, rest, serveRequests, startRegex } from './serve-requests.ts';
import type { RequestHandlers } from './serve-requests.ts';
import { textRanks } from './text-ranks.ts';
import { heaviestRow } from './tree-places.ts';

/** A comparison's worker: messages in, messages out. The window ends the worker to cancel. */

function post(message: CompareMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

const patterns = createPatternRunner(startRegex);

const session = createCompareSession(
  { ofTransforms: patterns, newSearch: createPatternSearches(startRegex) },
  (step, done) => {
    post({ kind: 'step', step, done });
  },
  rest,
);

async function open({ document, name, ...source }: CompareRequestParams<'open'>): Promise<OpenedCapture> {
  return session.add(await readSource(source, post), document, name);
}

const handlers: RequestHandlers<CompareMethods> = {
  open,
  cache: ({ capture, ...place }) => keepCache(session.profile(capture), place),
  forget: ({ capture }) => {
    session.forget(capture);
    return null;
  },
  compare: (params) => session.compare(params),
  place: ({ revision, ...places }) => findPlaces(session.at(revision).trees, places),
  withdraw: ({ revision }) => {
    session.withdraw(revision);
    return null;
  },
  audit: ({ revision }) => auditComparison(session.at(revision)),
  slice: ({ revision, ...request }) => compareSlice(session.at(revision).trees, request),
  path: ({ revision, width, node }) => comparePath(session.at(revision).trees, width, node),
  match: ({ revision, width, ...request }) => findMatch(session.at(revision).trees.width(width).tree, request),
  'carry-range': ({ revision, ...params }) => carryRange(session.at(revision).trees, params),
  'describe-path': ({ revision, ...place }) => pathDetail(session.at(revision), place),
  search: ({ revision, pattern }) => searchBoth(session.at(revision), pattern),
  filter: ({ revision, pattern }) => {
    const { filter, names } = session.at(revision);
    return filter(names, pattern);
  },
  'text-ranks': ({ revision, by }) => textRanks(session.at(revision).trees.table, by),
  sums: ({ revision, functions }) => selectedDelta(session.at(revision), functions),
  preview: ({ revision, ...asked }) => previewBoth(session.at(revision), asked, patterns),
  'preview-rule': ({ revision, rule }) => previewUserRule(session.at(revision), rule, patterns),
  heaviest: ({ revision, func }) => heaviestRow(session.at(revision).trees.width('union').tree, func),
  movers: ({ revision, most }) => {
    const { comparison, trees } = session.at(revision);
    return topMovers(comparison, trees.tree, most);
  },
  'self-test': ({ revision, slowdown, func }) => {
    const { comparison } = session.at(revision);
    const functions = func === null ? null : [func];
    return {
      report: selfTest(comparison, { slowdown, functions, isOneProgram: false }),
      captures: selfTestCaptures(comparison),
    };
  },
  advice: ({ revision, func }) => {
    const { advice } = session.at(revision).comparison;
    return { self: advice('self', func), total: advice('total', func) };
  },
  'time-strip': ({ revision, side, window, buckets }) => session.timeStrip(revision, side, window, buckets),
};

/** Columns move instead of being copied. */
function transferable(method: CompareMethod, result: unknown): Transferable[] {
  if (method !== 'compare') return [];
  const { self, total } = result as CompareResult<'compare'>;
  return [...columnsOf(self), ...columnsOf(total)];
}

export function serveComparison(): void {
  serveRequests<CompareRequest>(handlers, post, transferable);
}
