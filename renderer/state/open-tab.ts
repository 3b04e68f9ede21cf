import type { CompareTab } from './compare/compare.types.ts';
import type { ProfileTab } from './profile/tab.ts';

/** What a tab of the window shows: one profile, or two sides of them. */
export type OpenTab = ProfileTab | CompareTab;

export const asProfileTab = (tab: OpenTab | null | undefined): ProfileTab | null =>
  tab?.kind === 'profile' ? tab : null;

export const asCompareTab = (tab: OpenTab | null | undefined): CompareTab | null =>
  tab?.kind === 'compare' ? tab : null;

/** Whether the tab's file can be kept in the library; false where it is there already. */
export const isKeepable = ({ source, store }: ProfileTab): boolean =>
  source.readFile !== null && store.get().captureId === null;
