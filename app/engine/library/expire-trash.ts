import type { ConfigFile } from '../config/config-file.ts';
import type { Settings } from '#core/contract/settings-schema.ts';
import { messageOf } from '#core/model/failure.ts';
import { deleteItems, expiredItems, listTrash } from './trash.ts';

/** How often a running engine looks. */
const EVERY_MS = 3_600_000;

/**
 * Deletes what has been in the trash of the library at `root` for longer than the user's setting says: now, after each
 * change of the settings, and every hour. Returns a function that ends this. Failures are logged and tried again.
 */
export function expireTrash(
  root: string,
  settings: Pick<ConfigFile<Settings>, 'get'>,
  log: (line: string) => void,
): { readonly run: () => Promise<void>; readonly stop: () => void } {
  const run = async (): Promise<void> => {
    const { trashDays } = settings.get();
    if (trashDays === null) return;
    try {
      await deleteItems(root, expiredItems((await listTrash(root)).items, trashDays, Date.now()));
    } catch (error) {
      log(`the trash was not emptied: ${messageOf(error)}`);
    }
  };
  const timer = setInterval(() => void run(), EVERY_MS);
  timer.unref();
  void run();
  return { run, stop: () => clearInterval(timer) };
}
