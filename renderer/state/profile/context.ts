import { createContext, useContext } from 'react';
import type { TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import type { ProfileTab, TabState } from './tab.ts';
import type { ProfileView } from './view.ts';
import { useStore } from '../store.ts';
import type { ViewState } from './view-state.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';

export const ProfileContext = createContext<ProfileTab | null>(null);
export const ViewContext = createContext<ProfileView | null>(null);

/** Returns the enclosing opened file. */
export function useProfileTab(): ProfileTab {
  const tab = useContext(ProfileContext);
  if (tab === null) throw new Error('rendered outside of a profile');
  return tab;
}

/** Returns a part of the file's state; `useStore` says what `select` may return. */
export function useTabState<R>(select: (state: TabState) => R): R {
  return useStore(useProfileTab().store, select);
}

/** Returns the enclosing view; its `profile` changes only if it grows, with each analysis. */
export function useView(): ProfileView {
  const view = useContext(ViewContext);
  if (view === null) throw new Error('rendered outside of a view');
  return view;
}

/** Returns a part of the view's state. */
export function useViewState<R>(select: (state: ViewState) => R): R {
  return useStore(useView().store, select);
}

/** Returns the functions that the view's indices refer to: the profile's own and those that transforms created. */
export function useFunctions(): FunctionNames {
  const view = useView();
  // Reads it with each analysis, because a growing profile has more functions then.
  const analysis = useViewState((state) => state.analysis);
  return analysis?.functions ?? view.profile.functions;
}

/**
 * Returns an object that stays the same while only the profile grows and the functions keep their indices; null if
 * transforms created functions, whose indices follow the profile's own.
 */
export function useLineage(): TreeLineage | null {
  const view = useView();
  return useViewState(({ analysis }) => ((analysis?.functions ?? null) === null ? view.lineage() : null));
}
