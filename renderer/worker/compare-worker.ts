import { findMatch } from '../flame/tree-source.ts';
import type {
  CompareMessage,
  CompareMethod,
  CompareMethods,
  CompareRequest,
  CompareRequestParams,
  CompareResult,
  OpenedCapture,
} from './compare-protocol.ts';
import { createCompareSession } from './compare-session.ts';
import { carryPlace, comparePath, compareSlice } from './compare-slices.ts';
import { createPatternRunner, createPatternSearches } from './pattern-search.ts';
import { keepCache, readSource } from './read-source.ts';
import { columnsOf, rest, serveRequests, startRegex } from './serve-requests.ts';
import type { RequestHandlers } from './serve-requests.ts';

/** Entry of a comparison's worker: messages in, messages out. The window ends the worker to cancel. */

function post(message: CompareMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

const session = createCompareSession(
  { ofTransforms: createPatternRunner(startRegex), newSearch: createPatternSearches(startRegex) },
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
  withdraw: ({ revision }) => {
    session.withdraw(revision);
    return null;
  },
  audit: ({ revision }) => session.audit(revision),
  slice: ({ revision, ...request }) => compareSlice(session.trees(revision), request),
  path: ({ revision, width, node }) => comparePath(session.trees(revision), width, node),
  match: ({ revision, width, ...request }) => findMatch(session.trees(revision).width(width).tree, request),
  'carry-place': ({ revision, ...place }) => carryPlace(session.trees(revision), place),
  'describe-path': ({ revision, node }) => session.describePath(revision, node),
  search: ({ revision, pattern }) => session.search(revision, pattern),
  filter: ({ revision, pattern }) => session.filter(revision, pattern),
  'text-ranks': ({ revision, by }) => session.ranks(revision, by),
  sums: ({ revision, functions }) => session.sums(revision, functions),
  'preview-rule': ({ revision, rule }) => session.previewRule(revision, rule),
  heaviest: ({ revision, func }) => session.heaviest(revision, func),
  movers: ({ revision, most }) => session.movers(revision, most),
  advice: ({ revision, func }) => session.advice(revision, func),
  'time-strip': ({ revision, side, window, buckets }) => session.timeStrip(revision, side, window, buckets),
};

/** Columns move instead of being copied. */
function transferable(method: CompareMethod, result: unknown): Transferable[] {
  if (method !== 'compare') return [];
  const { self, total } = result as CompareResult<'compare'>;
  return [...columnsOf(self), ...columnsOf(total)];
}

serveRequests<CompareRequest>(handlers, post, transferable);
