import type { CallNodeIndex } from '#core/model/brand.ts';
import type { NamedTransform } from '#core/analyze/named-transform.ts';
import type { Selection } from '#core/analyze/stack-view.ts';
import type { Orientation } from '../flame/flame-graph.types.ts';
import type { ProfileClient } from '../worker/profile-client.ts';
import type { Analysis, OpenedProfile, TreeChoice } from '../worker/protocol.ts';
import { toProblem } from './problem.ts';
import type { Problem } from './problem.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { initialViewState, TREE_ROOT } from './view-state.ts';
import type { Picked, SearchState, ViewState } from './view-state.ts';

/** One way of looking at a profile. A tab has one or more, which share its worker. */
export interface ProfileView {
  /** Unlike any other of the tab; what the worker calls the view. */
  readonly id: number;
  readonly profile: OpenedProfile;
  readonly store: Store<ViewState>;
  /** The tab's worker; null once the tab is closed. */
  readonly client: () => ProfileClient | null;
  /** Brings the analysis up to date; there is seldom a need, since every change does. */
  readonly analyse: () => Promise<void>;
  readonly dispose: () => void;
  readonly select: (change: Partial<Selection>) => void;
  readonly setTransforms: (transforms: readonly NamedTransform[]) => void;
  readonly setTree: (tree: TreeChoice) => void;
  readonly setOrientation: (orientation: Orientation) => void;
  readonly zoom: (node: CallNodeIndex) => void;
  readonly setSearch: (text: string) => void;
  readonly pick: (picked: Omit<Picked, 'revision'> | null) => void;
}

interface Needs {
  readonly id: number;
  readonly profile: OpenedProfile;
  readonly client: () => ProfileClient | null;
  /** Revisions are the worker's, not the view's. */
  readonly nextRevision: () => number;
}

/** Bars of the time strip. */
const HISTOGRAM_BUCKETS = 240;
/** A pause in typing before a pattern runs. */
const SEARCH_DELAY_MS = 150;

/** A view of everything, by the profile's own value type. Answers to outdated questions are dropped. */
export function createProfileView({ id, profile, client, nextRevision }: Needs): ProfileView {
  const store = createStore<ViewState>(initialViewState(profile.metadata.defaultValueType));
  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  let analysisRunning = false;

  function fail(problem: Problem): void {
    if (problem.code !== 'cancelled' && problem.code !== 'stale') store.set({ problem });
  }

  /** Runs until what was computed last is what is asked for now; one analysis at a time. */
  async function analyse(): Promise<void> {
    const own = client();
    if (analysisRunning || own === null) return;
    analysisRunning = true;
    store.set({ analysing: true });
    try {
      const analysis = await analyseNewest(own);
      store.set({ analysis, zoomNode: TREE_ROOT, problem: null });
      await Promise.all([runSearch(), describePicked(), drawHistogram()]);
    } catch (error) {
      fail(toProblem(error));
    } finally {
      analysisRunning = false;
      store.set({ analysing: false });
    }
  }

  async function analyseNewest(own: ProfileClient): Promise<Analysis> {
    for (;;) {
      const { selection, transforms, tree } = store.get();
      const asked = { view: id, revision: nextRevision(), selection, transforms, tree };
      const analysis = await own.call('analyze', asked);
      const now = store.get();
      if (now.selection === selection && now.transforms === transforms && now.tree === tree) return analysis;
    }
  }

  async function drawHistogram(): Promise<void> {
    const own = client();
    const { selection, histogram } = store.get();
    if (own === null || !profile.hasTime) return;
    const { valueType, threads } = selection;
    const key = `${valueType} ${threads?.join(' ') ?? 'all'}`;
    if (histogram?.key === key) return;
    const drawn = await own.call('histogram', { valueType, threads, buckets: HISTOGRAM_BUCKETS });
    if (store.get().selection === selection) store.set({ histogram: drawn === null ? null : { ...drawn, key } });
  }

  async function runSearch(): Promise<void> {
    const own = client();
    const { searchText, analysis } = store.get();
    if (own === null || analysis === null) return;
    if (searchText === '') {
      store.set({ search: { status: 'none' } });
      return;
    }
    let search: SearchState;
    try {
      const matches = await own.call('search', { revision: analysis.revision, pattern: searchText });
      search = { status: 'matched', matches };
    } catch (error) {
      search = { status: 'refused', message: toProblem(error).message };
    }
    const now = store.get();
    if (now.searchText === searchText && now.analysis === analysis) store.set({ search });
  }

  async function describePicked(): Promise<void> {
    const own = client();
    const { picked, analysis } = store.get();
    if (own === null || analysis === null || picked === null) return;
    const { func } = picked;
    // Rows of another tree mean nothing in this one: fall back to the function's heaviest row.
    const nodeIsOfThisTree = picked.node !== null && picked.revision === analysis.revision;
    const asked = { revision: analysis.revision, func };
    try {
      const node = nodeIsOfThisTree ? picked.node : await own.call('heaviest', asked);
      const [path, neighbours] = await Promise.all([
        node === null ? [] : own.call('path', { revision: analysis.revision, node }),
        own.call('neighbours', asked),
      ]);
      const now = store.get();
      if (now.picked !== picked || now.analysis !== analysis) return;
      store.set({ details: { picked, exactStack: nodeIsOfThisTree, stack: path.slice(1), ...neighbours } });
    } catch (error) {
      fail(toProblem(error));
    }
  }

  function change(part: Partial<ViewState>): void {
    store.set(part);
    void analyse();
  }

  return {
    id,
    profile,
    store,
    client,
    analyse,
    dispose: () => {
      clearTimeout(searchTimer);
    },
    select: (part) => {
      change({ selection: { ...store.get().selection, ...part } });
    },
    setTransforms: (transforms) => {
      change({ transforms });
    },
    setTree: (tree) => {
      if (JSON.stringify(tree) !== JSON.stringify(store.get().tree)) change({ tree });
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
  };
}
