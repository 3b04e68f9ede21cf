import type { CallNodeIndex, FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Selection, Transform } from '#core/analyze/stack-view.ts';
import type { Orientation, PathEntry } from '../flame/flame-graph.types.ts';
import type { ProfileClient, ProfileClientEvents } from '../worker/profile-client.ts';
import type {
  Analysis,
  CachePlace,
  Direction,
  FormatRow,
  Histogram,
  NeighbourRow,
  OpenedProfile,
  OpenSource,
  SearchMatches,
} from '../worker/protocol.ts';
import { toProblem } from './problem.ts';
import type { Problem } from './problem.ts';
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

export type SearchState =
  | { readonly status: 'none' }
  | { readonly status: 'running' }
  | { readonly status: 'matched'; readonly matches: SearchMatches }
  | { readonly status: 'refused'; readonly message: string };

/** What the user picked: a function, and where it was picked in the graph also the row of the call tree. */
export interface Picked {
  readonly func: FunctionIndex;
  readonly node: CallNodeIndex | null;
  /** Of the analysis that `node` belongs to. */
  readonly revision: number;
}

export interface PickedDetails {
  readonly picked: Picked;
  /** The stack is the one that was picked; else it is the heaviest that holds the function. */
  readonly exactStack: boolean;
  /** Root first; empty where a transform removed the function. */
  readonly stack: readonly PathEntry[];
  readonly callers: readonly NeighbourRow[];
  readonly callees: readonly NeighbourRow[];
}

export interface TabState {
  readonly phase: 'loading' | 'failed' | 'ready';
  readonly captureId: string | null;
  readonly formats: readonly FormatRow[];
  /** Chosen by the user; null: by content. */
  readonly format: string | null;
  readonly progress: { readonly readBytes: number; readonly totalBytes: number | null };
  readonly problem: Problem | null;
  readonly profile: OpenedProfile | null;
  readonly selection: Selection;
  readonly transforms: readonly Transform[];
  readonly orientation: Orientation;
  readonly direction: Direction;
  readonly analysis: Analysis | null;
  readonly analysing: boolean;
  /** `key` names the selection it was made for. */
  readonly histogram: (Histogram & { readonly key: string }) | null;
  readonly zoomNode: CallNodeIndex;
  readonly searchText: string;
  readonly search: SearchState;
  readonly picked: Picked | null;
  readonly details: PickedDetails | null;
}

export interface ProfileTab {
  readonly id: string;
  readonly source: TabSource;
  readonly store: Store<TabState>;
  readonly client: () => ProfileClient | null;
  /** Reads the source, again where it was read before. */
  readonly load: (format: string | null) => Promise<void>;
  /** Ends reading or analysis at once. */
  readonly dispose: () => void;
  readonly select: (change: Partial<Selection>) => void;
  readonly setTransforms: (transforms: readonly Transform[]) => void;
  readonly setDirection: (direction: Direction) => void;
  readonly setOrientation: (orientation: Orientation) => void;
  readonly zoom: (node: CallNodeIndex) => void;
  readonly setSearch: (text: string) => void;
  readonly pick: (picked: Omit<Picked, 'revision'> | null) => void;
  readonly setCaptureId: (id: string) => void;
}

/** Bars of the time strip. */
const HISTOGRAM_BUCKETS = 240;
/** A pause in typing before a pattern runs. */
const SEARCH_DELAY_MS = 150;
/** Smaller inputs parse faster than their cache is worth. */
const CACHE_FROM_BYTES = 1 << 20;

const ROOT = 0 as CallNodeIndex;
const EVERYTHING: Selection = { valueType: 0 as ValueTypeIndex, threads: null, timeRange: null };

function initialState(captureId: string | null): TabState {
  return {
    phase: 'loading',
    captureId,
    formats: [],
    format: null,
    progress: { readBytes: 0, totalBytes: null },
    problem: null,
    profile: null,
    selection: EVERYTHING,
    transforms: [],
    orientation: 'flame',
    direction: 'top-down',
    analysis: null,
    analysing: false,
    histogram: null,
    zoomNode: ROOT,
    searchText: '',
    search: { status: 'none' },
    picked: null,
    details: null,
  };
}

/** One open profile: its worker, what the user chose, and what the worker answered. Answers to outdated questions are dropped. */
export function createProfileTab(
  id: string,
  source: TabSource,
  startClient: (events: ProfileClientEvents) => ProfileClient,
): ProfileTab {
  const store = createStore<TabState>(initialState(source.captureId));
  let client: ProfileClient | null = null;
  let revision = 0;
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  let analysisRunning = false;

  function fail(problem: Problem): void {
    if (problem.code !== 'cancelled' && problem.code !== 'stale') store.set({ problem });
  }

  async function load(format: string | null): Promise<void> {
    client?.dispose();
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
      store.set({ profile, selection: { ...EVERYTHING, valueType: profile.metadata.defaultValueType } });
      await analyse();
      if (client !== own) return;
      store.set({ phase: store.get().analysis === null ? 'failed' : 'ready' });
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

  async function keepCache(own: ProfileClient, cache: CachePlace | null, bytes: number): Promise<void> {
    if (cache === null || bytes < CACHE_FROM_BYTES) return;
    // A cache that could not be kept costs the next open some time and nothing else.
    await own.call('cache', cache).catch(() => null);
  }

  /** Runs until what was computed last is what is asked for now; one analysis at a time. */
  async function analyse(): Promise<void> {
    if (analysisRunning || client === null) return;
    analysisRunning = true;
    store.set({ analysing: true });
    try {
      const analysis = await analyseNewest(client);
      if (analysis !== null) store.set({ analysis, zoomNode: ROOT, problem: null });
      await Promise.all([runSearch(), describePicked(), drawHistogram()]);
    } catch (error) {
      fail(toProblem(error));
    } finally {
      analysisRunning = false;
      store.set({ analysing: false });
    }
  }

  /** Null where the tab is being read anew meanwhile. */
  async function analyseNewest(own: ProfileClient): Promise<Analysis | null> {
    for (;;) {
      const { selection, transforms, direction } = store.get();
      revision += 1;
      const analysis = await own.call('analyze', { revision, selection, transforms, direction });
      if (client !== own) return null;
      const now = store.get();
      const current = now.selection === selection && now.transforms === transforms && now.direction === direction;
      if (current) return analysis;
    }
  }

  async function drawHistogram(): Promise<void> {
    const { profile, selection, histogram } = store.get();
    if (client === null || profile === null || !profile.hasTime) return;
    const { valueType, threads } = selection;
    const key = `${valueType} ${threads?.join(' ') ?? 'all'}`;
    if (histogram?.key === key) return;
    const drawn = await client.call('histogram', { valueType, threads, buckets: HISTOGRAM_BUCKETS });
    if (store.get().selection === selection) store.set({ histogram: drawn === null ? null : { ...drawn, key } });
  }

  async function runSearch(): Promise<void> {
    const { searchText, analysis } = store.get();
    if (client === null || analysis === null) return;
    if (searchText === '') {
      store.set({ search: { status: 'none' } });
      return;
    }
    let search: SearchState;
    try {
      const matches = await client.call('search', { revision: analysis.revision, pattern: searchText });
      search = { status: 'matched', matches };
    } catch (error) {
      search = { status: 'refused', message: toProblem(error).message };
    }
    const now = store.get();
    if (now.searchText === searchText && now.analysis === analysis) store.set({ search });
  }

  async function describePicked(): Promise<void> {
    const { picked, analysis } = store.get();
    if (client === null || analysis === null || picked === null) return;
    const { func } = picked;
    // Rows of another tree mean nothing in this one: fall back to the function's heaviest row.
    const nodeIsOfThisTree = picked.node !== null && picked.revision === analysis.revision;
    const asked = { revision: analysis.revision, func };
    try {
      const node = nodeIsOfThisTree ? picked.node : await client.call('heaviest', asked);
      const [path, neighbours] = await Promise.all([
        node === null ? [] : client.call('path', { revision: analysis.revision, node }),
        client.call('neighbours', asked),
      ]);
      const now = store.get();
      if (now.picked !== picked || now.analysis !== analysis) return;
      store.set({ details: { picked, exactStack: nodeIsOfThisTree, stack: path.slice(1), ...neighbours } });
    } catch (error) {
      fail(toProblem(error));
    }
  }

  function change(part: Partial<TabState>): void {
    store.set(part);
    void analyse();
  }

  return {
    id,
    source,
    store,
    client: () => client,
    load,
    dispose: () => {
      clearTimeout(searchTimer);
      client?.dispose();
      client = null;
    },
    select: (part) => {
      change({ selection: { ...store.get().selection, ...part } });
    },
    setTransforms: (transforms) => {
      change({ transforms });
    },
    setDirection: (direction) => {
      if (direction !== store.get().direction) change({ direction });
    },
    setOrientation: (orientation) => {
      store.set({ orientation });
    },
    zoom: (zoomNode) => {
      store.set({ zoomNode });
    },
    setSearch: (searchText) => {
      clearTimeout(searchTimer);
      store.set({ searchText, search: { status: searchText === '' ? 'none' : 'running' } });
      searchTimer = setTimeout(() => void runSearch(), searchText === '' ? 0 : SEARCH_DELAY_MS);
    },
    pick: (picked) => {
      const revisionNow = store.get().analysis?.revision ?? 0;
      store.set({ picked: picked === null ? null : { ...picked, revision: revisionNow }, details: null });
      void describePicked();
    },
    setCaptureId: (captureId) => {
      store.set({ captureId });
    },
  };
}
