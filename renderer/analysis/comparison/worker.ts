import { compareHandlers } from './handlers.ts';
import type { CompareMethods } from './methods.ts';
import { createCompareSession } from './session.ts';
import type { ParamsOf, ResultOf } from '../methods.ts';
import { createPatternRunner, createPatternSearches } from '../pattern-search.ts';
import { keepCache, readSource } from '../read-source.ts';
import { columnsOf, post, yieldToMessages, serveRequests, startRegex } from '../serve-requests.ts';

/** Serves a comparison's requests in a worker. The window cancels by terminating the worker. */

/** Transfers columns instead of copying them. */
function transferable(method: string, result: unknown): Transferable[] {
  if (method !== 'analyze') return [];
  const { self, total } = result as ResultOf<CompareMethods, 'analyze'>;
  return [...columnsOf(self), ...columnsOf(total)];
}

export function serveComparison(): void {
  const patterns = createPatternRunner(startRegex);
  const session = createCompareSession(
    { ofTransforms: patterns, ofPreviews: patterns, newSearch: createPatternSearches(startRegex) },
    (step, done) => post({ kind: 'step', step, done }),
    yieldToMessages,
  );
  const open = async ({ document, name, ...source }: ParamsOf<CompareMethods, 'open'>) =>
    session.add(await readSource(source, post), document, name);
  serveRequests<CompareMethods>(
    {
      ...compareHandlers(session),
      open,
      cache: ({ capture, ...place }) => keepCache(session.profile(capture), place),
    },
    transferable,
  );
}
