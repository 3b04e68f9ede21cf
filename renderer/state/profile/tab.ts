import type { TabSource } from '../tab-source.ts';
import type { ProfileClient, WorkerEvents } from '../clients/worker-client.ts';
import type { FormatRow } from '../../analysis/methods.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import { createMarkBook } from '../marks.ts';
import type { MarkBook, MarkKeeper } from '../marks.ts';
import { toProblem } from '../problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { readCached } from '../analysis/read-cached.ts';
import type { ReadResult } from '../analysis/read-cached.ts';
import { createTabWorker } from '../analysis/tab-worker.ts';
import { createStore } from '../store.ts';
import type { Store } from '../store.ts';
import { createTabViews, NO_VIEWS } from './views.ts';
import type { DefaultsFor, TabViews, TabViewsState } from './views.ts';
import { restoreViews, serialiseViews } from './document.ts';

export interface TabState extends TabViewsState {
  readonly phase: 'loading' | 'failed' | 'ready';
  readonly captureId: string | null;
  readonly formats: readonly FormatRow[];
  /** Chosen by the user; null: by content. */
  readonly format: string | null;
  readonly progress: { readonly readBytes: number; readonly totalBytes: number | null };
  /** Why the file could not be opened. */
  readonly problem: Problem | null;
  readonly profile: OpenedProfile | null;
  /** What of a restored session does not fit this file any more, each in one line. */
  readonly notRestored: readonly string[];
}

/** One opened file: its worker, how far reading is, and the views of what was read. */
export interface ProfileTab extends TabViews {
  readonly kind: 'profile';
  readonly id: string;
  readonly source: TabSource;
  readonly store: Store<TabState>;
  /** Reads the source, again where it was read before. */
  readonly load: (format: string | null) => Promise<void>;
  /** Reads the file anew, which has changed: views, and the function that is picked, stay. */
  readonly reload: () => Promise<void>;
  /** Ends reading or analysis at once. */
  readonly dispose: () => void;
  readonly setCaptureId: (id: string) => void;
  /** What the user named in the file's time. */
  readonly marks: MarkBook;
}

export interface TabOptions {
  /** What `serialiseViews` gave when the file was open before: untrusted. */
  readonly views?: unknown;
  readonly defaultsFor?: DefaultsFor;
  /** Default: marks last as long as the tab. */
  readonly markKeeper?: MarkKeeper;
}

function initialState(captureId: string | null): TabState {
  return {
    phase: 'loading',
    captureId,
    formats: [],
    format: null,
    progress: { readBytes: 0, totalBytes: null },
    problem: null,
    profile: null,
    notRestored: [],
    ...NO_VIEWS,
  };
}

/** Opens nothing yet: `load` does. */
export function createProfileTab(
  id: string,
  source: TabSource,
  startClient: (events: WorkerEvents) => ProfileClient,
  { views: kept, defaultsFor = () => ({}), markKeeper }: TabOptions = {},
): ProfileTab {
  const store = createStore<TabState>(initialState(source.captureId));
  const events: WorkerEvents = {
    onFormats: (formats) => {
      store.set({ formats });
    },
    onProgress: (readBytes, totalBytes) => {
      store.set({ progress: { readBytes, totalBytes } });
    },
  };
  const marks = createMarkBook(markKeeper ?? null);
  const worker = createTabWorker(() => startClient(events));
  let views: TabViews | null = null;
  /** Only the first reading brings them back: what is read in another format is another profile. */
  let toRestore = kept;

  function end(): void {
    for (const view of store.get().views) view.dispose();
    views = null;
    worker.end();
  }

  async function load(format: string | null): Promise<void> {
    end();
    store.set({ ...initialState(store.get().captureId), formats: store.get().formats, format });
    const own = worker.start();
    void marks.follow(store.get().captureId);
    try {
      const { result: profile, cache } = await read(own, format);
      if (worker.client() !== own) return;
      const problem = await openViews(profile, own);
      if (worker.client() !== own) return;
      store.set({ phase: problem === null ? 'ready' : 'failed', problem });
      // A cache that could not be kept costs the next open some time and nothing else.
      if (cache !== null) await own.call('cache', cache).catch(() => null);
    } catch (error) {
      if (worker.client() === own) store.set({ phase: 'failed', problem: toProblem(error) });
    }
  }

  function read(own: ProfileClient, format: string | null): Promise<ReadResult<OpenedProfile>> {
    return readCached(
      source,
      format !== null,
      (opened) => own.call('open', { source: opened, format }),
      () => worker.client() === own,
      () => store.get().progress.readBytes,
    );
  }

  /** Why no view could be made; null where all were. Views that can't be restored give way to the usual one. */
  async function openViews(profile: OpenedProfile, own: ProfileClient): Promise<Problem | null> {
    const { initial, active, shares, missing } = restoreViews(toRestore, profile);
    toRestore = undefined;
    views = createTabViews({
      store,
      profile,
      client: () => (worker.client() === own ? own : null),
      nextRevision: worker.nextRevision,
      defaultsFor,
      initial,
    });
    const { activeView, views: open, shares: equal } = store.get();
    store.set({
      profile,
      notRestored: missing,
      activeView: open[active] ?? activeView,
      shares: shares.length === open.length ? shares : equal,
    });
    await Promise.all(open.map((view) => view.analyse()));
    const failed = open.map((view) => view.store.get()).find(({ analysis }) => analysis === null);
    if (worker.client() !== own || failed === undefined) return null;
    if (initial.length === 0) return failed.problem;
    for (const view of open) view.dispose();
    const problem = await openViews(profile, own);
    store.set({ notRestored: [failed.problem?.message ?? 'The previous views could not be analysed.'] });
    return problem;
  }

  return {
    kind: 'profile',
    id,
    source,
    store,
    marks,
    load,
    reload: async () => {
      const { format, activeView } = store.get();
      const pickedPlace = activeView?.store.get().pickedPlace ?? null;
      toRestore = serialiseViews(store.get()) ?? toRestore;
      await load(format);
      if (pickedPlace !== null) store.get().activeView?.follow({ pickedPlace });
    },
    dispose: end,
    setCaptureId: (captureId) => {
      store.set({ captureId });
      void marks.follow(captureId);
    },
    activateView: (view) => views?.activateView(view),
    splitView: (valueType) => views?.splitView(valueType) ?? null,
    closeView: (view) => views?.closeView(view),
    linkView: (view, linked) => views?.linkView(view, linked),
    resizeView: (index, share) => views?.resizeView(index, share),
    undo: () => views?.undo(),
    redo: () => views?.redo(),
  };
}
