import type { CompareTab } from '../compare/compare.types.ts';
import type { ProfileTab } from '../profile/tab.ts';

/** The content of a tab: a profile or a comparison. */
export type OpenTab = (ProfileTab | CompareTab) & {
  /** The name of the function for which the tab was opened, if any. */
  readonly about?: string;
};

export const asProfileTab = (tab: OpenTab | null | undefined): ProfileTab | null =>
  tab?.kind === 'profile' ? tab : null;

export const asCompareTab = (tab: OpenTab | null | undefined): CompareTab | null =>
  tab?.kind === 'compare' ? tab : null;

/** Returns whether the tab's file can be added to the library; false if it is there already. */
export const isKeepable = ({ source, store }: ProfileTab): boolean =>
  source.readFile !== null && store.get().captureId === null;
