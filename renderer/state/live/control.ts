import { PATHS, TOKEN_HEADER } from '#core/contract/paths.ts';
import type { Result } from '#core/contract/contract.ts';
import type { LiveStatus, LiveWindow } from '#core/contract/live.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { EngineClient } from '../engine-client.ts';
import { toProblem } from '../problem.ts';
import { createStore, type Store } from '../store.ts';
import type { TabSource } from '../tabs/source.ts';
import type { Problem } from '../../ui/problem.ts';

export interface LiveState {
  /** Null until the first event. */
  readonly status: LiveStatus | null;
  readonly window: LiveWindow;
  /** True keeps what is on screen; the engine goes on collecting. */
  readonly paused: boolean;
  /** What is on screen; null before the first snapshot. */
  readonly shown: Omit<Result<'live.open'>, 'handle' | 'fileName' | 'size'> | null;
  /** Why the newest samples are not on screen. */
  readonly problem: Problem | null;
}

/** The window's side of a live session: asks for snapshots as the engine reports updates. */
export interface LiveControl {
  readonly liveId: string;
  readonly store: Store<LiveState>;
  /** Called once the first snapshot is on screen; `refresh` reads the newest one from the source. */
  readonly begin: (refresh: () => Promise<void>) => void;
  /** Called with each status of the session. */
  readonly receive: (status: LiveStatus) => void;
  readonly setWindow: (window: LiveWindow) => void;
  readonly setPaused: (paused: boolean) => void;
  /** Forgets the samples so far. */
  readonly reset: () => Promise<void>;
  /** Keeps the last `seconds` as a capture; null keeps everything. */
  readonly save: (seconds: number | null) => Promise<CaptureDocument>;
  /** Ends collecting; what is there stays on screen. */
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
): { readonly source: TabSource; readonly control: LiveControl } {
  const store = createStore<LiveState>({ status: null, window: 10, paused: false, shown: null, problem: null });
  const headers = { [TOKEN_HEADER]: engine.token };
  let refresh: (() => Promise<void>) | null = null;
  let isRefreshing = false;
  /** The window that is on screen, and not only asked for. */
  let shownWindow: LiveWindow | undefined;
  let last = 0;

  async function open(): Promise<{ handle: string; size: number; fileName: string }> {
    const { window } = store.get();
    const { handle, fileName, size, ...shown } = await engine.call('live.open', { liveId, window });
    store.set({ shown });
    shownWindow = window;
    return { handle, fileName, size };
  }

  function isBehind(): boolean {
    const { status, shown, window, paused } = store.get();
    if (window !== shownWindow) return true;
    return !paused && status !== null && shown !== null && status.update > shown.update;
  }

  async function follow(): Promise<void> {
    if (isRefreshing || refresh === null || !isBehind()) return;
    isRefreshing = true;
    const wait = shownWindow === store.get().window ? last + REFRESH_MS - performance.now() : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    last = performance.now();
    const problem = await refresh().then(
      () => null,
      (error: unknown) => toProblem(error),
    );
    isRefreshing = false;
    store.set({ problem });
    // After a failure, the next update tries again.
    if (problem === null) void follow();
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
      reset: async () => receive(await engine.call('live.reset', { liveId })),
      save: (seconds) => engine.call('live.save', { liveId, seconds }),
      stop: async () => receive(await engine.call('live.stop', { liveId })),
      end: () => {
        refresh = null;
        void engine.call('live.stop', { liveId }).catch(() => null);
      },
    },
  };
}
