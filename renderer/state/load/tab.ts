import { createStore, type Store } from '../store.ts';

/** What a load tab shows: load tests, or an experiment. IDs are those of the library. */
export type LoadPlace =
  /** One test, or two overlaid; empty: none. */
  | { readonly page: 'tests'; readonly first: string; readonly second: string }
  /** Null: the experiment that the engine runs, or ran last; if there is none, a new one. */
  | { readonly page: 'experiment'; readonly shown: string | null };

interface LoadTabState {
  readonly title: string;
  readonly place: LoadPlace;
  /** What the tab started or shows and is not finished; null for nothing. */
  readonly running: { readonly id: string; readonly name: string } | null;
}

/** A tab in which load tests or an experiment are planned, followed and shown. */
export interface LoadTab {
  readonly kind: 'load';
  readonly id: string;
  readonly store: Store<LoadTabState>;
  /** Results of load-testing tools that the tab shows; the first two are selected. */
  readonly files: readonly File[];
  /** False if it was open before. */
  readonly isNew: boolean;
}

/** Returns the key of the place-th file of a tab among its tests. */
export const fileKey = (place: number): string => `file:${place}`;
export const isFileKey = (key: string): boolean => key.startsWith('file:');

/** Title of a tab that shows nothing yet. */
const TITLES = { tests: 'Load tests', experiment: 'Experiment' } as const;

export function createLoadTab(id: string, { place, files, title }: LoadPlan): LoadTab {
  const store = createStore<LoadTabState>({ title: title ?? TITLES[place.page], place, running: null });
  return { kind: 'load', id, store, files, isNew: title === undefined };
}

/** The state from which a load tab can be recreated. */
export interface LoadPlan {
  readonly kind: 'load';
  readonly place: LoadPlace;
  readonly files: readonly File[];
  readonly title?: string;
}

/** Shows another title; empty for the one of a tab that shows nothing. */
export function setLoadTitle({ store }: LoadTab, shown: string): void {
  const title = shown === '' ? TITLES[store.get().place.page] : shown;
  if (title !== store.get().title) store.set({ title });
}
