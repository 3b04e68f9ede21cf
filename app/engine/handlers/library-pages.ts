import { randomBytes } from 'node:crypto';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import type { Handlers } from '../http/rpc.ts';
import type { Library } from '../library/library.ts';

/** Number of captures in one answer: 2 to 5 MB, which a window reads in a few milliseconds. */
const PAGE = 1000;
/** Number of lists that are kept for windows which have not read them to the end. */
const MAX_LISTS = 8;

/** Answers with a long list page by page, since a window that reads all of it at once does not react meanwhile. */
export function listInPages(library: Pick<Library, 'list'>): Handlers['library.list'] {
  const rests = new Map<string, readonly CaptureDocument[]>();

  function firstOf(captures: readonly CaptureDocument[]) {
    if (captures.length <= PAGE) return { captures: [...captures] };
    const next = randomBytes(8).toString('hex');
    rests.set(next, captures.slice(PAGE));
    for (const oldest of rests.keys()) if (rests.size > MAX_LISTS) rests.delete(oldest);
    return { captures: captures.slice(0, PAGE), next };
  }

  return async ({ query, after }) => {
    if (after === undefined) {
      const { captures, damaged } = await library.list(query);
      return { ...firstOf(captures), damaged: [...damaged] };
    }
    const rest = rests.get(after);
    if (rest === undefined) throw new EngineFailure('not-found', 'This list is no longer kept.', 'Read it again.');
    rests.delete(after);
    return { ...firstOf(rest), damaged: [] };
  };
}
