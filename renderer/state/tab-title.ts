import { useSyncExternalStore } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { shownName } from './capture-name.ts';
import { compareTitle } from './compare/title.ts';
import type { ProfileTab } from './profile/tab.ts';
import type { OpenTab } from './tabs/open-tab.ts';
import { useWorkbenchState } from './workbench-context.ts';
import { withLost, type CaptureQuality } from '#core/model/quality-grade.ts';
import type { OpenedProfile } from '../analysis/profile/protocol.ts';

/**
 * Returns what the capture is called now, else the file name; for a comparison, its title.
 */
export function tabTitle(tab: OpenTab, captures: readonly CaptureDocument[] | null): string {
  if (tab.kind === 'load') return tab.store.get().title;
  if (tab.kind === 'compare') return compareTitle(tab.store.get(), captures);
  const { captureId } = tab.store.get();
  const capture = captures?.find(({ id }) => id === captureId);
  return capture === undefined ? tab.source.fileName : shownName(capture, captures ?? []);
}

/** Returns the capture's name for files made of it: its title, and its ID if it is in the library. */
export function titleWithId(tab: ProfileTab, captures: readonly CaptureDocument[] | null): string {
  const { captureId } = tab.store.get();
  const title = tabTitle(tab, captures);
  return captureId === null ? title : `${title}, ${captureId}`;
}

/** Longest name of a function in a tab's label. */
const LONGEST_ABOUT = 30;

/** Returns the tab's label: its title, after the function for which it was opened. */
export function tabLabel(tab: OpenTab, captures: readonly CaptureDocument[] | null): string {
  const title = tabTitle(tab, captures);
  const about = (tab.kind === 'load' ? undefined : tab.about) ?? '';
  return about === '' ? title : `${shortenMiddle(visibleText(about), LONGEST_ABOUT)} · ${title}`;
}

export function useTabLabel(tab: OpenTab): string {
  const captures = useWorkbenchState((state) => state.captures);
  return useSyncExternalStore(tab.store.subscribe, () => tabLabel(tab, captures));
}

export function useTabTitle(tab: OpenTab): string {
  const captures = useWorkbenchState((state) => state.captures);
  return useSyncExternalStore(tab.store.subscribe, () => tabTitle(tab, captures));
}

/**
 * Returns the quality of an opened capture, from its file and the samples lost while recording. Null until it is open,
 * and if it has no samples.
 */
export function tabQuality(profile: OpenedProfile | null, capture: CaptureDocument | null): CaptureQuality | null {
  if (profile === null || profile.quality === null) return null;
  return withLost(profile.quality, profile.sampleCount, capture?.lostSamples ?? 0);
}
