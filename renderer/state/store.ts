import { useSyncExternalStore } from 'react';

/**
 * A value that notifies its subscribers of changes. Updates are merged shallowly; unchanged fields keep their identity.
 */
export interface Store<T extends object> {
  readonly get: () => T;
  readonly set: (change: Partial<T>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns a part of a store and renders again when its identity changes. `select` must return existing parts, never a
 * new object.
 */
export function useStore<T extends object, R>(store: Store<T>, select: (state: T) => R): R {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
