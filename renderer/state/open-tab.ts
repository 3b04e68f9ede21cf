import type { CompareTab } from './compare/compare.types.ts';
import type { ProfileTab } from './profile-tab.ts';

/** What a tab of the window shows: one profile, or two sides of them. */
export type OpenTab = ProfileTab | CompareTab;

export const asProfileTab = (tab: OpenTab | null | undefined): ProfileTab | null =>
  tab?.kind === 'profile' ? tab : null;

export const asCompareTab = (tab: OpenTab | null | undefined): CompareTab | null =>
  tab?.kind === 'compare' ? tab : null;
