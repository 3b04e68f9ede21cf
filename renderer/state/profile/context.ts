import { createContext, useContext } from 'react';
import type { ProfileTab, TabState } from './tab.ts';
import type { ProfileView } from './view.ts';
import { useStore } from '../store.ts';
import type { ViewState } from './view-state.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';

export const ProfileContext = createContext<ProfileTab | null>(null);
export const ViewContext = createContext<ProfileView | null>(null);

/** The opened file around. */
export function useProfileTab(): ProfileTab {
  const tab = useContext(ProfileContext);
  if (tab === null) throw new Error('rendered outside of a profile');
  return tab;
}

/** A part of the file's state; see `useStore` for what `select` may return. */
export function useTabState<R>(select: (state: TabState) => R): R {
  return useStore(useProfileTab().store, select);
}

/** The view around; its `profile` is there for good. */
export function useView(): ProfileView {
  const view = useContext(ViewContext);
  if (view === null) throw new Error('rendered outside of a view');
  return view;
}

/** A part of the view's state. */
export function useViewState<R>(select: (state: ViewState) => R): R {
  return useStore(useView().store, select);
}

/** What function indices of the view mean: the profile's functions, and those that transforms made. */
export function useFunctions(): FunctionNames {
  const { profile } = useView();
  return useViewState((state) => state.analysis?.functions) ?? profile.functions;
}
