import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import type { Result } from '#core/contract/contract.ts';
import type { LiveStatus, LiveWindow } from '#core/contract/live.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { JudgedKind } from '#core/live/baseline/baseline.ts';
import type { OpenSource } from '../../analysis/methods.ts';
import type { PinnedRequest } from '../../analysis/profile/protocol.ts';
import type { EngineClient } from '../engine-client.ts';
import { toProblem } from '../problem.ts';
import { createStore, type Store } from '../store.ts';
import type { TabSource } from '../tab-source.ts';
import type { Problem } from '../../ui/problem.ts';

export interface LiveState {
  /** Null until the first event. */
  readonly status: LiveStatus | null;
  readonly window: LiveWindow;
  /** True freezes the screen; the engine continues to collect. */
  readonly paused: boolean;
  /** The snapshot on screen; null before the first one. */
  readonly shown: Omit<Result<'live.open'>, 'handle' | 'fileName' | 'size'> | null;
  /** How the baseline is compared; null for the default. */
  readonly normalisation: JudgedKind | null;
  /** Why the newest samples are not on screen. */
  readonly problem: Problem | null;
}

/** The window's side of a live session: requests snapshots as the engine reports updates. */
export interface LiveControl {
  readonly liveId: string;
  readonly store: Store<LiveState>;
  /** Called once the first snapshot is on screen; `refresh` reads the newest one from the source. */
  readonly begin: (refresh: () => Promise<void>) => void;
  /** Called with each status of the session. */
  readonly receive: (status: LiveStatus) => void;
  readonly setWindow: (window: LiveWindow) => void;
  readonly setPaused: (paused: boolean) => void;
  /** Pins what the window shows (null), or a capture of the library, as the baseline. */
  readonly pin: (captureId: string | null) => Promise<void>;
  readonly unpin: () => Promise<void>;
  readonly setNormalisation: (kind: JudgedKind) => void;
  /** Returns the baseline of the newest snapshot; null if there is none. */
  readonly pinned: () => Promise<PinnedRequest | null>;
  /** Discards the samples so far. */
  readonly reset: () => Promise<void>;
  /** Saves the last `seconds` before the end of what the window shows as a capture; null saves everything until then. */
  readonly save: (seconds: number | null) => Promise<CaptureDocument>;
  /** Ends collecting; the samples stay on screen. */
  readonly stop: () => Promise<void>;
  /** Called when the tab is closed. */
  readonly end: () => void;
}

/** Shortest time between two refreshes in ms. */
const REFRESH_MS = 700;

/** Returns a live session as the source of a tab, and its control. */
export function createLiveSource(
  engine: EngineClient,
  liveId: string,
  title: string,
  window: LiveWindow = 10,
): { readonly source: TabSource; readonly control: LiveControl } {
  const store = createStore<LiveState>({
    status: null,
    window,
    paused: false,
    shown: null,
    normalisation: null,
    problem: null,
  });
  const headers = { [TOKEN_HEADER]: engine.token };
  let refresh: (() => Promise<void>) | null = null;
  let isRefreshing = false;
  /** The time window of the snapshot on screen, as opposed to the requested one. */
  let shownWindow: LiveWindow | undefined;
  /** Where it ended if it was requested while paused; else null. */
  let shownUntil: number | null = null;
  let last = 0;
  let shownNormalisation: JudgedKind | null = null;
  /** ID of the baseline that the worker has read, and of that on screen. */
  let readBaseline: number | null = null;
  let shownBaseline: number | null = null;

  /** Where windows end: while paused, at the end of what is on screen. */
  function until(): number | null {
    const { paused, shown } = store.get();
    return paused ? (shown?.newest ?? null) : null;
  }

  async function open(): Promise<{ handle: string; size: number; fileName: string }> {
    const { window } = store.get();
    const asked = { window, until: until() };
    const { handle, fileName, size, ...shown } = await engine.call('live.open', { liveId, ...asked });
    store.set({ shown });
    shownWindow = window;
    shownUntil = asked.until;
    return { handle, fileName, size };
  }

  function isBehind(): boolean {
    const { status, shown, window, paused, normalisation } = store.get();
    if (window !== shownWindow || normalisation !== shownNormalisation) return true;
    if ((status?.baseline?.id ?? null) !== shownBaseline) return true;
    if (paused || status === null || shown === null) return false;
    return shownUntil !== null || status.update > shown.update;
  }

  /** Shows the newest state, unless the view was closed while {@link follow} waited; returns what was wrong. */
  async function refreshIfOpen(): Promise<Problem | null> {
    if (refresh === null) return null;
    return refresh().then(
      () => null,
      (error: unknown) => toProblem(error),
    );
  }

  async function follow(): Promise<void> {
    if (isRefreshing || refresh === null || !isBehind()) return;
    isRefreshing = true;
    const wait = shownWindow === store.get().window ? last + REFRESH_MS - performance.now() : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    last = performance.now();
    const problem = await refreshIfOpen();
    isRefreshing = false;
    store.set({ problem });
    // After a failure, the next update tries again.
    if (problem === null) void follow();
  }

  async function pinned(): Promise<PinnedRequest | null> {
    const { status, shown, normalisation } = store.get();
    const changes = shown?.changes ?? null;
    shownNormalisation = normalisation;
    shownBaseline = null;
    if (status === null || status.baseline?.id !== changes?.baselineId) return null;
    if (status.baseline === null || shown === null || changes === null) return null;
    const { name, seconds, rateHz, isJudged, id } = status.baseline;
    const source = readBaseline === id ? null : await openBaseline(id);
    if (source === undefined) return null;
    shownBaseline = id;
    const before = { name, seconds, rateHz };
    const after = { name: title, seconds: shown.coveredSeconds, rateHz: status.rateHz };
    return { source, before, after, asked: normalisation, isJudged, changes };
  }

  /** Opens the baseline with this ID; undefined if another one was pinned in the meantime. */
  async function openBaseline(id: number): Promise<OpenSource | undefined> {
    const { handle, fileName, size, baselineId } = await engine.call('live.baseline', { liveId });
    if (baselineId !== id) return undefined;
    readBaseline = id;
    return { kind: 'url', url: PATHS.file + handle, headers, fileName, size };
  }

  function receive(status: LiveStatus): void {
    store.set({ status });
    void follow();
  }

  return {
    source: {
      fileName: title,
      captureId: null,
      readFile: null,
      open: async () => {
        const { handle, size, fileName } = await open();
        return {
          source: { kind: 'url', url: PATHS.file + handle, headers, fileName, size },
          cache: null,
          cached: false,
        };
      },
    },
    control: {
      liveId,
      store,
      begin: (reads) => {
        refresh = reads;
        readBaseline = null;
        shownBaseline = null;
        void engine.call('live.status', { liveId }).then(receive, () => null);
      },
      receive,
      setWindow: (window) => {
        store.set({ window });
        void follow();
      },
      setPaused: (paused) => {
        store.set({ paused });
        void follow();
      },
      pin: async (captureId) => {
        const from =
          captureId === null
            ? ({ kind: 'window', window: store.get().window, until: until() } as const)
            : ({ kind: 'capture', captureId } as const);
        receive(await engine.call('live.pin', { liveId, from }));
      },
      unpin: async () => receive(await engine.call('live.unpin', { liveId })),
      setNormalisation: (normalisation) => {
        store.set({ normalisation });
        void follow();
      },
      pinned,
      reset: async () => receive(await engine.call('live.reset', { liveId })),
      save: (seconds) => engine.call('live.save', { liveId, seconds, until: until() }),
      stop: async () => receive(await engine.call('live.stop', { liveId })),
      end: () => {
        refresh = null;
        void engine.call('live.stop', { liveId }).catch(() => null);
      },
    },
  };
}
