import type { ProfileClient } from './clients/worker-client.ts';
import { isOutdated, toProblem } from './problem.ts';
import type { Store } from './store.ts';
import type { SearchState, ViewState } from './view-state.ts';

/** A pause in typing before a pattern runs: its matches are to be on screen 150 ms after the last key. */
const SEARCH_DELAY_MS = 40;

export interface ViewSearch {
  /** Looks for another pattern; empty: for none. */
  readonly set: (searchText: string) => void;
  /** Looks again, through the newest analysis. */
  readonly run: () => Promise<void>;
  readonly dispose: () => void;
}

/** What a view is searched for. Answers to outdated questions are dropped. */
export function createViewSearch(store: Store<ViewState>, client: () => ProfileClient | null): ViewSearch {
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    const own = client();
    const { searchText, analysis: searched } = store.get();
    if (own === null || searched === null) return;
    if (searchText === '') {
      store.set({ search: { status: 'none' } });
      return;
    }
    let search: SearchState;
    try {
      const matches = await own.call('search', { revision: searched.revision, pattern: searchText });
      search = { status: 'matched', matches, revision: searched.revision };
    } catch (error) {
      const problem = toProblem(error);
      if (isOutdated(problem)) return;
      search = { status: 'refused', message: problem.message };
    }
    const now = store.get();
    if (now.searchText === searchText && now.analysis === searched) store.set({ search });
  }

  return {
    run,
    set: (searchText) => {
      clearTimeout(timer);
      store.set({ searchText, search: { status: searchText === '' ? 'none' : 'running' } });
      timer = setTimeout(() => void run(), searchText === '' ? 0 : SEARCH_DELAY_MS);
    },
    dispose: () => {
      clearTimeout(timer);
    },
  };
}
