import { useSyncExternalStore } from 'react';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { compareTitle } from './compare/title.ts';
import type { OpenTab } from './open-tab.ts';
import { useWorkbenchState } from './workbench-context.ts';

/** The capture's name, which can change while it is open, else the file's; of a comparison, what is compared. */
export function tabTitle(tab: OpenTab, captures: readonly CaptureDocument[] | null): string {
  if (tab.kind === 'compare') return compareTitle(tab.store.get(), captures);
  const { captureId } = tab.store.get();
  return captures?.find((capture) => capture.id === captureId)?.name ?? tab.source.fileName;
}

export function useTabTitle(tab: OpenTab): string {
  const captures = useWorkbenchState((state) => state.captures);
  return useSyncExternalStore(tab.store.subscribe, () => tabTitle(tab, captures));
}
