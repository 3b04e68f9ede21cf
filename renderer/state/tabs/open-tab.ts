import type { CompareTab } from '../compare/compare.types.ts';
import type { LoadTab } from '../load/tab.ts';
import type { ProfileTab } from '../profile/tab.ts';

/** A tab with an analysis: of a profile or a comparison. */
export type AnalysedTab = (ProfileTab | CompareTab) & {
  /** The name of the function for which the tab was opened, if any. */
  readonly about?: string;
};

export type OpenTab = AnalysedTab | LoadTab;

export const asAnalysedTab = (tab: OpenTab | null | undefined): AnalysedTab | null =>
  tab === null || tab === undefined || tab.kind === 'load' ? null : tab;

/** Returns the tabs with an analysis. */
export const analysedTabs = (tabs: readonly OpenTab[]): AnalysedTab[] =>
  tabs.flatMap((tab) => asAnalysedTab(tab) ?? []);

export const asProfileTab = (tab: OpenTab | null | undefined): ProfileTab | null =>
  tab?.kind === 'profile' ? tab : null;

export const asCompareTab = (tab: OpenTab | null | undefined): CompareTab | null =>
  tab?.kind === 'compare' ? tab : null;

/** Returns whether the tab's file can be added to the library; false if it is there already. */
export const isKeepable = ({ source, store }: ProfileTab): boolean =>
  source.readFile !== null && store.get().captureId === null;
