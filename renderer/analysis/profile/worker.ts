import { createPatternRunner, createPatternSearches } from '../pattern-search.ts';
import { describeProfile } from './describe-profile.ts';
import type { ThreadRows } from '#core/analyze/time/strip.ts';
import type { Profile } from '#core/model/profile.ts';
import type { ParamsOf, ResultOf } from '../methods.ts';
import { profileHandlers } from './handlers.ts';
import { createKeptViews, type Growth } from './analyses.ts';
import { createProfileSession, type ProfileSession } from './session.ts';
import type { PinnedSide } from './pinned-protocol.ts';
import type { OpenedProfile, PinnedRequest, ProfileMethods } from './protocol.ts';
import { keepCache, readSource } from '../read-source.ts';
import { RequestFailure } from '../request-failure.ts';
import { columnsOf, post, yieldToMessages, serveRequests, startRegex } from '../serve-requests.ts';

/** Serves a profile's requests in a worker. The window cancels by terminating the worker. */

let session: ProfileSession | null = null;
/** The session of the snapshot before the last refresh. */
let previous: ProfileSession | null = null;
let createSession: (profile: Profile, growth: Growth | null) => ProfileSession;
/** The newest baseline of a live profile. */
let baseline: { readonly id: number; readonly profile: Profile } | null = null;

async function open(params: ParamsOf<ProfileMethods, 'open'>): Promise<OpenedProfile> {
  const profile = await readSource(params, post);
  const patterns = {
    ofTransforms: createPatternRunner(startRegex),
    ofPreviews: createPatternRunner(startRegex),
    newSearch: createPatternSearches(startRegex),
  };
  const kept = createKeptViews();
  createSession = (newer, growth) => createProfileSession(newer, patterns, yieldToMessages, kept, growth);
  session = createSession(profile, null);
  return describeProfile(profile);
}

async function refresh({ source, pinned }: ParamsOf<ProfileMethods, 'refresh'>): Promise<OpenedProfile> {
  const profile = await readSource({ source, format: null }, () => undefined);
  const side = pinned === null ? null : await readPinned(pinned);
  previous = loaded();
  session = createSession(profile, { pinned: side });
  return describeProfile(profile);
}

async function readPinned({ source, ...facts }: PinnedRequest): Promise<PinnedSide | null> {
  const id = facts.changes.baselineId;
  if (source !== null) baseline = { id, profile: await readSource({ source, format: null }, () => undefined) };
  return baseline?.id === id ? { ...facts, profile: baseline.profile } : null;
}

/** Returns handlers that answer from the session that holds the requested revision. */
function handlersByRevision(): ReturnType<typeof profileHandlers> {
  const newest = profileHandlers(loaded);
  const older = profileHandlers(() => previous ?? loaded());
  const isOlder = (params: unknown): boolean => {
    const revision = (params as { readonly revision?: number } | null)?.revision;
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
  if (method === 'time-threads') return barsOf(result as ThreadRows | null);
  return method === 'text-ranks' ? columnsOf([result]) : [];
}

/** All rows have the same two buffers. */
function barsOf(threads: ThreadRows | null): Transferable[] {
  return columnsOf(threads?.rows.find(({ weight }) => weight !== null) ?? {});
}

export function serveProfile(): void {
  serveRequests<ProfileMethods>(
    { ...handlersByRevision(), open, refresh, cache: (place) => keepCache(loaded().profile, place) },
    transferable,
  );
}
