import type { ProfileClient, ProfileClientEvents } from '../worker/profile-client.ts';
import type { CachePlace, FormatRow, OpenedProfile, OpenSource } from '../worker/protocol.ts';
import { toProblem } from './problem.ts';
import type { Problem } from './problem.ts';
import { createProfileView } from './profile-view.ts';
import type { ProfileView } from './profile-view.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** Where a tab's bytes come from; asked again for each reading, since handles work once. */
export interface TabSource {
  readonly fileName: string;
  /** Null for files that are in no library. */
  readonly captureId: string | null;
  /** The file itself, to keep it in the library; null where it is there. */
  readonly readFile: (() => Promise<File>) | null;
  /** `ignoreCache`: the bytes as they were captured, for a format chosen by hand. */
  open(ignoreCache: boolean): Promise<OpenedSource>;
}

export interface OpenedSource {
  readonly source: OpenSource;
  /** Where the parsed form can be kept; null where it is kept already or has no place. */
  readonly cache: CachePlace | null;
  /** The source is such a parsed form. */
  readonly cached: boolean;
}

export interface TabState {
  readonly phase: 'loading' | 'failed' | 'ready';
  readonly captureId: string | null;
  readonly formats: readonly FormatRow[];
  /** Chosen by the user; null: by content. */
  readonly format: string | null;
  readonly progress: { readonly readBytes: number; readonly totalBytes: number | null };
  /** Why the file could not be opened. */
  readonly problem: Problem | null;
  readonly profile: OpenedProfile | null;
  /** At least one once the profile is there. */
  readonly views: readonly ProfileView[];
  /** The view that toolbar, tables and keys are about. */
  readonly activeView: ProfileView | null;
}

/** One opened file: its worker, how far reading is, and the views of what was read. */
export interface ProfileTab {
  readonly id: string;
  readonly source: TabSource;
  readonly store: Store<TabState>;
  /** Reads the source, again where it was read before. */
  readonly load: (format: string | null) => Promise<void>;
  /** Ends reading or analysis at once. */
  readonly dispose: () => void;
  readonly setCaptureId: (id: string) => void;
}

/** Smaller inputs parse faster than their cache is worth. */
const CACHE_FROM_BYTES = 1 << 20;

function initialState(captureId: string | null): TabState {
  return {
    phase: 'loading',
    captureId,
    formats: [],
    format: null,
    progress: { readBytes: 0, totalBytes: null },
    problem: null,
    profile: null,
    views: [],
    activeView: null,
  };
}

/** Opens nothing yet: `load` does. */
export function createProfileTab(
  id: string,
  source: TabSource,
  startClient: (events: ProfileClientEvents) => ProfileClient,
): ProfileTab {
  const store = createStore<TabState>(initialState(source.captureId));
  let client: ProfileClient | null = null;

  function end(): void {
    for (const view of store.get().views) view.dispose();
    client?.dispose();
    client = null;
  }

  async function load(format: string | null): Promise<void> {
    end();
    store.set({ ...initialState(store.get().captureId), formats: store.get().formats, format });
    const own = startClient({
      onFormats: (formats) => {
        store.set({ formats });
      },
      onProgress: (readBytes, totalBytes) => {
        store.set({ progress: { readBytes, totalBytes } });
      },
    });
    client = own;
    try {
      const { profile, cache } = await read(own, format);
      if (client !== own) return;
      const view = firstView(profile, own);
      store.set({ profile, views: [view], activeView: view });
      await view.analyse();
      if (client !== own) return;
      const { analysis, problem } = view.store.get();
      store.set({ phase: analysis === null ? 'failed' : 'ready', problem });
      await keepCache(own, cache, store.get().progress.readBytes);
    } catch (error) {
      if (client === own) store.set({ phase: 'failed', problem: toProblem(error) });
    }
  }

  /** A cache that does not open any more costs a second reading, of what it was made from. */
  async function read(
    own: ProfileClient,
    format: string | null,
  ): Promise<{ profile: OpenedProfile; cache: CachePlace | null }> {
    const opened = await source.open(format !== null);
    try {
      return { profile: await own.call('open', { source: opened.source, format }), cache: opened.cache };
    } catch (error) {
      if (!opened.cached || client !== own) throw error;
      const again = await source.open(true);
      return { profile: await own.call('open', { source: again.source, format }), cache: again.cache };
    }
  }

  function firstView(profile: OpenedProfile, own: ProfileClient): ProfileView {
    let revision = 0;
    return createProfileView({
      id: 0,
      profile,
      client: () => (client === own ? own : null),
      nextRevision: () => (revision += 1),
    });
  }

  async function keepCache(own: ProfileClient, cache: CachePlace | null, bytes: number): Promise<void> {
    if (cache === null || bytes < CACHE_FROM_BYTES) return;
    // A cache that could not be kept costs the next open some time and nothing else.
    await own.call('cache', cache).catch(() => null);
  }

  return {
    id,
    source,
    store,
    load,
    dispose: end,
    setCaptureId: (captureId) => {
      store.set({ captureId });
    },
  };
}
