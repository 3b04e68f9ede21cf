import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLocked } from '#collectors/effects/kernel-lock.ts';
import { removeFolderOf } from '#collectors/effects/remove.ts';
import { makeCacheFolder } from '#collectors/effects/write.ts';
import { ownCache } from '#collectors/kept-files.ts';
import { messageOf } from '#core/model/failure.ts';
import { CHECKOUT } from '../ci/repository.ts';
import { usageError } from '../errors.ts';
import { say } from '../output/terminal.ts';
import type { BisectState } from './state.ts';

/** Built checkouts that stay when the process ends, so that a bisection which goes on from its state has them. */
export interface KeptBuilds {
  /** Returns the checkout of a commit whose build is complete; null if there is none. */
  find(hash: string): string | null;
  /** Makes the empty folder of a commit, and deletes what an interrupted build left there. */
  makeFolder(hash: string): Promise<string>;
  /** Notes that the build of a commit is complete. */
  keep(hash: string): void;
  /** Deletes all builds. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the builds of a bisection in this user's cache; `save` is called before anything is there, and with each
 * complete build. Their folder has a random name that only the state knows, so that nothing else has it. Throws a usage
 * error while another process has them open.
 */
export async function openKeptBuilds(
  { id = randomBytes(8).toString('hex'), complete = [] }: Partial<NonNullable<BisectState['builds']>>,
  save: (builds: NonNullable<BisectState['builds']>) => void,
): Promise<KeptBuilds> {
  const known = new Set(complete);
  const saveKnown = (): void => save({ id, complete: [...known] });
  saveKnown();
  const cache = ownCache('bisect');
  const folder = await makeCacheFolder(cache, id);
  const lock = await openLocked(join(folder, 'lock'));
  if (lock.state === 'held') throw usageError('a bisection with this --state is running', 'wait, or give another file');
  return {
    find(hash) {
      const checkout = join(folder, hash, CHECKOUT);
      return known.has(hash) && existsSync(checkout) ? checkout : null;
    },
    async makeFolder(hash) {
      await removeFolderOf(folder, hash);
      return makeCacheFolder(folder, hash);
    },
    keep(hash) {
      known.add(hash);
      saveKnown();
    },
    // A build may have made folders that its own user can't change.
    remove: () => removeFolderOf(cache, id).catch((error: unknown) => say(`builds are left: ${messageOf(error)}`)),
    close: () => lock.file.close(),
  };
}
