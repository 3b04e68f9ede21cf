import { createContext, useContext } from 'react';
import { useStore } from '../store.ts';
import type { CompareState, CompareTab } from './compare.types.ts';

export const CompareContext = createContext<CompareTab | null>(null);

/** Returns the enclosing comparison. */
export function useCompare(): CompareTab {
  const tab = useContext(CompareContext);
  if (tab === null) throw new Error('rendered outside of a comparison');
  return tab;
}

/** Returns a part of the comparison's state; `useStore` says what `select` may return. */
export function useCompareState<R>(select: (state: CompareState) => R): R {
  return useStore(useCompare().store, select);
}
