import { createContext, useContext } from 'react';
import { useStore } from '../store.ts';
import type { CompareState, CompareTab } from './compare.types.ts';

export const CompareContext = createContext<CompareTab | null>(null);

/** The comparison around. */
export function useCompare(): CompareTab {
  const tab = useContext(CompareContext);
  if (tab === null) throw new Error('rendered outside of a comparison');
  return tab;
}

/** A part of the comparison's state; see `useStore` for what `select` may return. */
export function useCompareState<R>(select: (state: CompareState) => R): R {
  return useStore(useCompare().store, select);
}
