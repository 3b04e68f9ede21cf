import type { CallNodeIndex } from '#core/model/brand.ts';
import { functionRefOf, pathRefs } from '../function-text.ts';
import { toProblem } from '../problem.ts';
import type { Store } from '../store.ts';
import { UNION } from './source.ts';
import type { ComparePicked, CompareSearch, CompareState, CompareTab } from './compare.types.ts';

/** Where the user is in a comparison: zoom, pick, pointer and search, the same in all its graphs and tables. */
export interface ComparePlaces extends Pick<CompareTab, 'setSearch' | 'zoom' | 'pick' | 'hover'> {
  /** Ends once the names of the places to find again are known. */
  readonly placed: () => Promise<void>;
  /** Looks for what was looked for in a comparison that is new. */
  readonly follow: () => void;
}

/** A pause in typing before a pattern runs: its matches are to be on screen 150 ms after the last key. */
const SEARCH_DELAY_MS = 40;

/** `call`: as `ask`, and refused where that is never answered. */
export function createComparePlaces(
  store: Store<CompareState>,
  ask: CompareTab['ask'],
  call: CompareTab['ask'],
): ComparePlaces {
  let placing: Promise<void> = Promise.resolve();
  let searchTimer: ReturnType<typeof setTimeout> | undefined;

  async function runSearch(): Promise<void> {
    const { searchText, compared } = store.get();
    if (compared === null) return;
    if (searchText === '') {
      store.set({ search: { status: 'none' } });
      return;
    }
    let search: CompareSearch;
    try {
      const { revision } = compared;
      search = { status: 'matched', matches: await ask('search', { revision, pattern: searchText }), revision };
    } catch (error) {
      search = { status: 'refused', message: toProblem(error).message };
    }
    const now = store.get();
    if (now.searchText === searchText && now.compared === compared) store.set({ search });
  }

  /** What a node is called, so that it is found in the next comparison. Null: it is not asked for any more. */
  async function pathOf(node: CallNodeIndex): Promise<CompareState['zoomPath'] | null> {
    const { compared } = store.get();
    if (compared === null || node === 0) return [];
    // Refused where the worker has a newer comparison, which waits for this name to be shown.
    const path = await call('path', { revision: compared.revision, tree: UNION, node }).catch(() => null);
    return path === null || store.get().compared !== compared ? null : pathRefs(path);
  }

  async function placeZoom(node: CallNodeIndex): Promise<void> {
    const zoomPath = await pathOf(node);
    if (zoomPath !== null && store.get().zoomNode === node) store.set({ zoomPath });
  }

  async function placePicked(picked: ComparePicked, place: NonNullable<CompareState['pickedPlace']>): Promise<void> {
    if (picked.node === null) return;
    const path = await pathOf(picked.node);
    if (path !== null && store.get().picked === picked) store.set({ pickedPlace: { ...place, path } });
  }

  function place(work: Promise<void>): void {
    placing = Promise.all([placing, work]).then(() => undefined);
  }

  return {
    placed: () => placing,
    follow: () => void runSearch(),
    setSearch: (searchText) => {
      clearTimeout(searchTimer);
      store.set({ searchText, search: { status: searchText === '' ? 'none' : 'running' } });
      searchTimer = setTimeout(() => void runSearch(), searchText === '' ? 0 : SEARCH_DELAY_MS);
    },
    zoom: (zoomNode) => {
      store.set({ zoomNode });
      place(placeZoom(zoomNode));
    },
    pick: (picked) => {
      const { compared } = store.get();
      if (compared === null) return;
      const pickedPlace = picked === null ? null : { func: functionRefOf(compared.functions, picked.func), path: null };
      store.set({ picked, pickedPlace });
      if (picked !== null && pickedPlace !== null) place(placePicked(picked, pickedPlace));
    },
    hover: (hovered) => {
      const now = store.get().hovered;
      if (now?.func === hovered?.func && now?.node === hovered?.node) return;
      store.set({ hovered });
    },
  };
}
