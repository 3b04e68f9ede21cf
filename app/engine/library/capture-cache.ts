import { lstat, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineFailure, errorCode, storageFailure } from '../failure.ts';
import { CACHE_FILE, TEMP_FOLDER } from './capture-files.ts';
import { makeFolder, type CaptureStore } from './capture-store.ts';
import type { CaptureFile } from './library.ts';

/** A page's largest ArrayBuffer is about 2 GiB in the engines we run on; a larger cache could not be read back. */
const CACHE_LIMIT_BYTES = 2 ** 31;

/** Errors that mean that there is no place for a cache, which is no failure of what the user does. */
const NO_PLACE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM']);

/** The capture's cache where it is of this version and not older than the file it was made from. */
export async function findCacheFile(folder: string, primary: CaptureFile): Promise<CaptureFile | null> {
  const path = join(folder, CACHE_FILE);
  const [cache, source] = [await lstat(path).catch(() => null), await lstat(primary.path)];
  if (cache === null || !cache.isFile() || cache.mtimeMs < source.mtimeMs) return null;
  return { path, fileName: CACHE_FILE, size: cache.size, cached: true };
}

/** Streams a cache to disk and puts it in place as a whole. False where there is no place for it. */
export async function saveCacheFile(
  store: CaptureStore,
  folder: string,
  random: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  let path: string | null = null;
  try {
    path = join(await makeFolder(store, TEMP_FOLDER), `cache-${random}`);
    await writeChecked(path, chunks);
    await rename(path, join(folder, CACHE_FILE));
    return true;
  } catch (error) {
    if (path !== null) await rm(path, { force: true }).catch(() => undefined);
    if (NO_PLACE.has(errorCode(error) ?? '')) return false;
    throw storageFailure(error, 'keep the parsed form of the capture');
  }
}

async function writeChecked(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > CACHE_LIMIT_BYTES) {
        throw new EngineFailure('too-large', 'The parsed form is too large to keep.', 'The capture still opens.');
      }
      await file.appendFile(chunk);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}
