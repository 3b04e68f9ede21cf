import { createContext, useContext } from 'react';
import { useStore } from '../state/store.ts';
import type { ProfileTab, TabState } from '../state/profile-tab.ts';

export const ProfileContext = createContext<ProfileTab | null>(null);

export function useProfileTab(): ProfileTab {
  const tab = useContext(ProfileContext);
  if (tab === null) throw new Error('rendered outside of a profile');
  return tab;
}

/** A part of the profile's state; see `useStore` for what `select` may return. */
export function useTabState<R>(select: (state: TabState) => R): R {
  return useStore(useProfileTab().store, select);
}
