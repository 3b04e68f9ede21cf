import type { Params, Result } from '#core/contract/contract.ts';
import type { LiveStatus } from '#core/contract/live.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import type { CollectorMemory } from '#collectors/collector.ts';
import { collectorsWith } from '#collectors/registry.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import type { FileHandles } from '../files/file-handles.ts';
import type { Library } from '../library/library.ts';
import { shownHost } from '../recording/plan-hosts.ts';
import type { PlannedHost } from '../recording/recorder.ts';
import type { Journal } from '../targets/journal.ts';
import type { Targets } from '../targets/targets.ts';
import { fileSource } from '../files/file-source.ts';
import type { GrowingRun } from '../recording/growing-run.ts';
import { followingCollector } from './follow-recording.ts';
import { planLive, replanner } from './plan-live.ts';
import { reconnect } from './reconnect.ts';
import type { LiveSession } from './live.types.ts';
import { startLive } from './live-session.ts';
import type { PinnedCapture } from './pinned.ts';

/** The engine's live sessions, used by the RPC methods `live.*`. */
export interface LiveSessions {
  /** Returns what would run; starts nothing. `start` is null if nothing can run; the checks say why. */
  plan(params: Params<'live.plan'>): Promise<{
    readonly host: PlannedHost;
    readonly start: (() => Promise<LiveStatus>) | null;
  }>;
  /** Shows a run of a recording; returns the session that shows it already, if there is one. */
  follow(recordingId: string, run: GrowingRun): Promise<LiveStatus>;
  /** Rejects with `not-found` for an unknown ID, as the following methods do. */
  status(liveId: string): Promise<LiveStatus>;
  open(params: Params<'live.open'>): Promise<Result<'live.open'>>;
  pin(params: Params<'live.pin'>): Promise<LiveStatus>;
  unpin(liveId: string): Promise<LiveStatus>;
  baseline(liveId: string): Promise<Result<'live.baseline'>>;
  reset(liveId: string): Promise<LiveStatus>;
  save(params: Params<'live.save'>): Promise<CaptureDocument>;
  stop(liveId: string): Promise<LiveStatus>;
  onStatus(listener: (status: LiveStatus) => void): void;
  /** Stops all sessions. Idempotent. */
  dispose(): Promise<void>;
}

export interface LiveSessionsContext {
  readonly library: Library;
  readonly targets: Pick<Targets, 'open' | 'list' | 'connect'>;
  readonly journal: Pick<Journal, 'begin'>;
  readonly memory: CollectorMemory | undefined;
  readonly fileHandles: FileHandles;
}

/** Number of ended sessions kept in memory, so that a tab can be reopened and saved. */
const MAX_ENDED = 4;
/** Milliseconds after its last request until a session is stopped, because its window is gone. */
const UNWATCHED_MS = 3_600_000;

export function createLiveSessions({
  library,
  targets,
  journal,
  memory,
  fileHandles,
}: LiveSessionsContext): LiveSessions {
  const sessions = new Map<string, LiveSession>();
  /** Time of each session's last request, by the monotonic clock. */
  const asked = new Map<string, number>();
  /** Handle of each session's newest snapshot, dropped if nobody reads it. */
  const handles = new Map<string, string>();
  /** The run of a recording that a session shows. */
  const followed = new WeakMap<LiveSession, GrowingRun>();
  const listeners = new Set<(status: LiveStatus) => void>();
  const watchdog = setInterval(() => {
    for (const [id, session] of sessions) {
      if (SYSTEM_CLOCK.monotonic() - (asked.get(id) ?? 0) > UNWATCHED_MS) void session.stop();
    }
  }, UNWATCHED_MS / 10).unref();

  function sessionOf(liveId: string): LiveSession {
    const session = sessions.get(liveId);
    if (session === undefined) {
      throw new EngineFailure('not-found', 'This live session is over.', 'Watch the process again.');
    }
    asked.set(liveId, SYSTEM_CLOCK.monotonic());
    return session;
  }

  function add(session: LiveSession): void {
    sessions.set(session.id, session);
    asked.set(session.id, SYSTEM_CLOCK.monotonic());
    session.onStatus((status) => {
      for (const listener of listeners) listener(status);
    });
    void session.ended.then(forgetOldest);
  }

  function forgetOldest(): void {
    const ended = [...sessions.values()].filter(isOver);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      for (const map of [sessions, asked, handles]) map.delete(id);
    }
  }

  return {
    async plan({ target: targetId, options, limits }) {
      const open = (id: string): Promise<Target> => targets.open(id);
      const collectorOf = collectorsWith({ memory, openTarget: open });
      const host = await planLive(collectorOf, open, targetId, options);
      const { target, plans } = host;
      const plan = plans?.[0];
      return {
        host: shownHost(host),
        start:
          target === null || plan === undefined
            ? null
            : async () => {
                const collector = collectorOf(options.collector);
                const context = {
                  clock: SYSTEM_CLOCK,
                  collector,
                  library,
                  journal,
                  offersSuccessor: true,
                  replan: replanner(collectorOf, open, targetId),
                  reconnect: () => reconnect(targets, targetId),
                };
                const seconds = collector.live.seconds(options);
                const session = await startLive(context, { targetId, target, plan, seconds, limits });
                add(session);
                return session.status;
              },
      };
    },

    async follow(recordingId, run) {
      const known = [...sessions.values()].find((session) => followed.get(session) === run);
      if (known !== undefined && !isOver(known)) return sessionOf(known.id).status;
      const { targetId, target, plan } = run;
      const session = await startLive(
        { clock: SYSTEM_CLOCK, collector: followingCollector(run), offersSuccessor: false },
        { targetId, target, plan, seconds: null, limits: { maxCpus: null }, recordingId },
      );
      add(session);
      followed.set(session, run);
      return session.status;
    },

    status: (liveId) => Promise.resolve(sessionOf(liveId).status),

    async open({ liveId, window, until }) {
      const session = sessionOf(liveId);
      await session.begun;
      const { profile, seconds, isWidened, samples, range } = session.rolling(window, until);
      const { update, error, title, events } = session.status;
      if (range === null && update === 0) {
        throw new EngineFailure('no-samples', `No sample of ${title} has come.`, error ?? events.at(-1)?.text ?? null);
      }
      const chunks = writeNative(profile);
      const last = handles.get(liveId);
      if (last !== undefined) fileHandles.drop(last);
      const handle = fileHandles.add({ fileName: title, chunks });
      handles.set(liveId, handle);
      return {
        handle,
        fileName: title,
        size: sizeOf(chunks),
        update,
        seconds,
        isWidened,
        samples,
        coveredSeconds: range === null ? 0 : (range.end - range.start) / 1e9,
        newest: range?.end ?? null,
        changes: session.pinned && {
          baselineId: session.pinned.id,
          size: session.pinned.baseline.size,
          'per-second': session.pinned.baseline.states('per-second'),
          share: session.pinned.baseline.states('share') ?? [],
        },
      };
    },

    async pin({ liveId, from }) {
      const session = sessionOf(liveId);
      session.pin(from.kind === 'window' ? from : await readCapture(library, from.captureId));
      return session.status;
    },

    unpin(liveId) {
      const session = sessionOf(liveId);
      session.unpin();
      return Promise.resolve(session.status);
    },

    baseline(liveId) {
      const { pinned } = sessionOf(liveId);
      if (pinned === null) throw new EngineFailure('not-found', 'Nothing is pinned.');
      const { id, baseline } = pinned;
      const chunks = writeNative(baseline.pinned.profile);
      const fileName = baseline.pinned.name;
      const handle = fileHandles.add({ fileName, chunks });
      return Promise.resolve({ handle, fileName, size: sizeOf(chunks), baselineId: id });
    },

    reset(liveId) {
      const session = sessionOf(liveId);
      session.reset();
      return Promise.resolve(session.status);
    },

    save: ({ liveId, ...part }) => sessionOf(liveId).save(library, part),

    async stop(liveId) {
      const session = sessionOf(liveId);
      await session.stop();
      return session.status;
    },

    onStatus: (listener) => void listeners.add(listener),

    async dispose() {
      clearInterval(watchdog);
      await Promise.all([...sessions.values()].map((session) => session.stop()));
    },
  };
}

const isOver = ({ status: { state } }: LiveSession): boolean => state === 'ended' || state === 'failed';

const sizeOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** Reads a capture of the library, which is then pinned. */
async function readCapture(library: Library, id: string): Promise<PinnedCapture> {
  const { name, durationMs } = await library.get(id);
  const { path } = await library.openFile(id);
  const profile = await importProfile(fileSource(path));
  const seconds = durationMs ?? (profile.metadata.durationNs === null ? null : profile.metadata.durationNs / 1e6);
  return { name, profile, seconds: seconds === null ? null : seconds / 1000 };
}
