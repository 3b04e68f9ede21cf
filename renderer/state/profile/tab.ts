import type { TabSource } from '../tab-source.ts';
import type { ProfileClient, WorkerEvents } from '../clients/worker-client.ts';
import type { FormatRow } from '../../analysis/methods.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import { createNoteBook, type NoteBook, type NoteKeeper } from '../notes/note-book.ts';
import { toProblem } from '../problem.ts';
import type { Problem } from '../../ui/problem.ts';
import type { LiveControl } from '../live/control.ts';
import { readCached, type ReadResult } from '../analysis/read-cached.ts';
import { createTabWorker } from '../analysis/tab-worker.ts';
import { createStore, type Store } from '../store.ts';
import { createTabViews, NO_VIEWS, type DefaultsFor, type TabViews, type TabViewsState } from './views.ts';
import { readViews, restoreViews, serialiseViews } from './document.ts';

export interface TabState extends TabViewsState {
  readonly phase: 'loading' | 'failed' | 'ready';
  readonly captureId: string | null;
  readonly formats: readonly FormatRow[];
  /** Importer ID chosen by the user; null detects the format by content. */
  readonly format: string | null;
  readonly progress: { readonly readBytes: number; readonly totalBytes: number | null };
  /** Why the file could not be opened. */
  readonly problem: Problem | null;
  readonly profile: OpenedProfile | null;
  /** Parts of a restored session that no longer fit the file, one line each. */
  readonly notRestored: readonly string[];
}

/** One opened file: its worker, reading state and views. */
export interface ProfileTab extends Omit<TabViews, 'willChangeNotes' | 'notesChanged'> {
  readonly kind: 'profile';
  readonly id: string;
  readonly source: TabSource;
  readonly store: Store<TabState>;
  /** Reads the source, or reads it again. */
  readonly load: (format: string | null) => Promise<void>;
  /** Reads the changed file again, keeping the views and the selected function. */
  readonly reload: () => Promise<void>;
  /** Ends reading and analysis immediately. */
  readonly dispose: () => void;
  readonly setCaptureId: (id: string) => void;
  readonly notes: NoteBook;
  /** Null unless the source grows. */
  readonly live: LiveControl | null;
}

export interface TabOptions {
  /** The result of `serialiseViews` from an earlier session; untrusted. */
  readonly views?: unknown;
  readonly defaultsFor?: DefaultsFor;
  /** By default, notes last as long as the tab. */
  readonly noteKeeper?: NoteKeeper;
  readonly live?: LiveControl | null;
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

/** Creates a tab without reading anything; call `load`. */
export function createProfileTab(
  id: string,
  source: TabSource,
  startClient: (events: WorkerEvents) => ProfileClient,
  { views: kept, defaultsFor = () => ({}), noteKeeper, live = null }: TabOptions = {},
): ProfileTab {
  const store = createStore<TabState>(initialState(source.captureId));
  const events: WorkerEvents = {
    onFormats: (formats) => store.set({ formats }),
    onProgress: (readBytes, totalBytes) => store.set({ progress: { readBytes, totalBytes } }),
  };
  const worker = createTabWorker(() => startClient(events));
  let views: TabViews | null = null;
  /** Saves a live session with the tab's notes, except those on times that the saved part lacks. */
  const saveWithNotes =
    ({ save, store: state }: LiveControl): LiveControl['save'] =>
    async (seconds) => {
      const from = seconds === null ? -Infinity : (state.get().shown?.newest ?? Infinity) - seconds * 1e9;
      const saved = await save(seconds);
      const put = notes.store
        .get()
        .notes.filter(({ anchor }) => anchor.kind !== 'range' || (anchor.end ?? anchor.start) >= from);
      if (put.length > 0) await noteKeeper?.change(saved.id, { put, remove: [] });
      return saved;
    };
  const notes = createNoteBook({
    keeper: noteKeeper ?? null,
    willChange: () => views?.willChangeNotes(),
    changed: () => views?.notesChanged(),
  });
  /** Only the first reading restores views, because another format yields another profile. */
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
    void notes.follow(store.get().captureId);
    try {
      const [{ result: profile, cache }, document] = await Promise.all([read(own, format), readViews(toRestore)]);
      if (worker.client() !== own) return;
      toRestore = undefined;
      const problem = await openViews(profile, own, restoreViews(document, profile));
      if (worker.client() !== own) return;
      store.set({ phase: problem === null ? 'ready' : 'failed', problem });
      // Failing to store the cache only makes the next opening slower.
      if (cache !== null) await own.call('cache', cache).catch(() => null);
      if (problem === null) live?.begin(refresh);
    } catch (error) {
      if (worker.client() === own) store.set({ phase: 'failed', problem: toProblem(error) });
    }
  }

  /** Reads what the source has now, and analyses all views again. */
  async function refresh(): Promise<void> {
    const own = worker.client();
    const { source: newer } = await source.open(false);
    if (own === null || worker.client() !== own) return;
    const pinned = (await live?.pinned()) ?? null;
    const profile = await own.call('refresh', { source: newer, pinned });
    if (worker.client() !== own) return;
    store.set({ profile });
    await Promise.all(store.get().views.map((view) => view.renew()));
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

  /**
   * Creates the views. Returns why none could be created, else null. If the stored views cannot be restored, the
   * default view is used.
   */
  async function openViews(
    profile: OpenedProfile,
    own: ProfileClient,
    { initial, active, shares, missing }: ReturnType<typeof restoreViews>,
  ): Promise<Problem | null> {
    views = createTabViews({
      store,
      profile: () => store.get().profile ?? profile,
      client: () => (worker.client() === own ? own : null),
      nextRevision: worker.nextRevision,
      defaultsFor,
      initial,
      notes,
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
    const problem = await openViews(profile, own, restoreViews(null, profile));
    store.set({ notRestored: [failed.problem?.message ?? 'The previous views could not be analysed.'] });
    return problem;
  }

  return {
    kind: 'profile',
    id,
    source,
    store,
    notes,
    load,
    reload: async () => {
      const { format, activeView } = store.get();
      const pickedPlace = activeView?.store.get().pickedPlace ?? null;
      toRestore = serialiseViews(store.get()) ?? toRestore;
      await load(format);
      if (pickedPlace !== null) store.get().activeView?.follow({ pickedPlace });
    },
    live: live && { ...live, save: saveWithNotes(live) },
    dispose: () => {
      end();
      live?.end();
    },
    setCaptureId: (captureId) => {
      store.set({ captureId });
      void notes.follow(captureId);
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
