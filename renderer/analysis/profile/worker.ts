import { createPatternRunner, createPatternSearches } from '../pattern-search.ts';
import { describeProfile } from './describe-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import type { ParamsOf, ResultOf } from '../methods.ts';
import { profileHandlers } from './handlers.ts';
import { createProfileSession, type ProfileSession } from './session.ts';
import type { OpenedProfile, ProfileMethods } from './protocol.ts';
import { keepCache, readSource } from '../read-source.ts';
import { RequestFailure } from '../request-failure.ts';
import { columnsOf, post, rest, serveRequests, startRegex } from '../serve-requests.ts';

/** Serves a profile's requests in a worker. The window cancels by terminating the worker. */

let session: ProfileSession | null = null;
/** That of the snapshot before the last refresh. */
let previous: ProfileSession | null = null;
let createSession: (profile: Profile) => ProfileSession;

async function open(params: ParamsOf<ProfileMethods, 'open'>): Promise<OpenedProfile> {
  const profile = await readSource(params, post);
  const patterns = {
    ofTransforms: createPatternRunner(startRegex),
    ofPreviews: createPatternRunner(startRegex),
    newSearch: createPatternSearches(startRegex),
  };
  const searches: Parameters<typeof createProfileSession>[3] = new Map();
  createSession = (newer) => createProfileSession(newer, patterns, rest, searches);
  session = createSession(profile);
  return describeProfile(profile);
}

async function refresh({ source }: ParamsOf<ProfileMethods, 'refresh'>): Promise<OpenedProfile> {
  const profile = await readSource({ source, format: null }, () => undefined);
  previous = loaded();
  session = createSession(profile);
  return describeProfile(profile);
}

/** Returns the handlers, of which each answers about the session that holds the revision it is asked about. */
function handlersByRevision(): ReturnType<typeof profileHandlers> {
  const newest = profileHandlers(loaded);
  const older = profileHandlers(() => previous ?? loaded());
  const isOlder = (params: unknown): boolean => {
    const { revision } = params as { readonly revision?: number };
    return revision !== undefined && previous?.holds(revision) === true;
  };
  const chosen = Object.keys(newest).map((key) => {
    const method = key as keyof typeof newest;
    return [method, (params: never): unknown => (isOlder(params) ? older : newest)[method](params)];
  });
  return Object.fromEntries(chosen) as typeof newest;
}

function loaded(): ProfileSession {
  if (session === null) throw new RequestFailure('stale', 'no profile is open');
  return session;
}

/** Transfers columns instead of copying them, except those that the session keeps. */
function transferable(method: string, result: unknown): Transferable[] {
  if (method === 'analyze') return columnsOf((result as ResultOf<ProfileMethods, 'analyze'>).rows);
  if (method === 'tree-rows') return columnsOf(result as object);
  return method === 'text-ranks' ? columnsOf([result]) : [];
}

export function serveProfile(): void {
  serveRequests<ProfileMethods>(
    { ...handlersByRevision(), open, refresh, cache: (place) => keepCache(loaded().profile, place) },
    transferable,
  );
}
