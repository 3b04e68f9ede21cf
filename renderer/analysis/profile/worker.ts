import { createPatternRunner, createPatternSearches } from '../pattern-search.ts';
import { describeProfile } from './describe-profile.ts';
import type { ParamsOf, ResultOf } from '../methods.ts';
import { profileHandlers } from './handlers.ts';
import { createProfileSession } from './session.ts';
import type { ProfileSession } from './session.ts';
import type { OpenedProfile, ProfileMethods } from './protocol.ts';
import { keepCache, readSource } from '../read-source.ts';
import { RequestFailure } from '../request-failure.ts';
import { columnsOf, post, rest, serveRequests, startRegex } from '../serve-requests.ts';

/** A profile's worker: messages in, messages out. The window ends the worker to cancel. */

let session: ProfileSession | null = null;

async function open(params: ParamsOf<ProfileMethods, 'open'>): Promise<OpenedProfile> {
  const profile = await readSource(params, post);
  const patterns = {
    ofTransforms: createPatternRunner(startRegex),
    ofPreviews: createPatternRunner(startRegex),
    newSearch: createPatternSearches(startRegex),
  };
  session = createProfileSession(profile, patterns, rest);
  return describeProfile(profile);
}

function loaded(): ProfileSession {
  if (session === null) throw new RequestFailure('stale', 'no profile is open');
  return session;
}

/** Columns move instead of being copied; what the session keeps is copied. */
function transferable(method: string, result: unknown): Transferable[] {
  if (method === 'analyze') return columnsOf((result as ResultOf<ProfileMethods, 'analyze'>).rows);
  if (method === 'tree-rows') return columnsOf(result as object);
  return method === 'text-ranks' ? columnsOf([result]) : [];
}

export function serveProfile(): void {
  serveRequests<ProfileMethods>(
    { ...profileHandlers(loaded), open, cache: (place) => keepCache(loaded().profile, place) },
    transferable,
  );
}
