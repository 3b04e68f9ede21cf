import type { SourceTypes } from '../../analysis/methods.ts';
import { isOutdated, toProblem } from '../problem.ts';
import type { Store } from '../store.ts';
import type { AnalysisState, SearchState, SharedClient } from './analysis-state.ts';

/** The search of a view, which owns its pause in typing. */
interface AnalysisSearch {
  /** Searches the analysis in the store for the text in it. */
  readonly run: () => Promise<void>;
  /** Searches after a short pause; an empty text clears the search. */
  readonly setText: (text: string) => void;
  readonly dispose: () => void;
}

/** Pause in typing before a pattern runs, in ms; matches must be on screen 150 ms after the last key. */
const SEARCH_DELAY_MS = 40;

export function createAnalysisSearch<S extends SourceTypes, Analysis extends { readonly revision: number }, Picked>(
  store: Store<AnalysisState<Analysis, Picked, S['matches']>>,
  client: () => SharedClient<S> | null,
): AnalysisSearch {
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    const own = client();
    const { searchText, analysis } = store.get();
    if (own === null || analysis === null) return;
    if (searchText === '') return store.set({ search: { status: 'none' } });
    const { revision } = analysis;
    let found: SearchState<S['matches']>;
    try {
      found = { status: 'matched', matches: await own.call('search', { revision, pattern: searchText }), revision };
    } catch (error) {
      const problem = toProblem(error);
      if (isOutdated(problem)) return;
      found = { status: 'refused', message: problem.message };
    }
    const now = store.get();
    if (now.searchText === searchText && now.analysis === analysis) store.set({ search: found });
  }

  return {
    run,
    setText: (searchText) => {
      clearTimeout(timer);
      store.set({ searchText, search: { status: searchText === '' ? 'none' : 'running' } });
      timer = setTimeout(() => void run(), searchText === '' ? 0 : SEARCH_DELAY_MS);
    },
    dispose: () => clearTimeout(timer),
  };
}
