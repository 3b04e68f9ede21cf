import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { ProfileTab } from '../state/profile-tab.ts';

/** The capture's name, which can change while it is open, else the file's. */
export function tabTitle(tab: ProfileTab, captures: readonly CaptureDocument[] | null): string {
  const { captureId } = tab.store.get();
  return captures?.find((capture) => capture.id === captureId)?.name ?? tab.source.fileName;
}
