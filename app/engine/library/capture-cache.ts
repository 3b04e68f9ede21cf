import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { HEADER, HEADER_BYTES, MAGIC, FORMAT_VERSION } from '#core/model/native/layout.ts';
import { EngineFailure, storageFailure } from '../failure.ts';
import { CACHE_FILE, TEMP_FOLDER } from './capture-files.ts';
import { makeFolder, type CaptureStore } from './capture-store.ts';
import type { CaptureFile } from './library.types.ts';

/** A page's largest ArrayBuffer is about 2 GiB in the engines we run on; a larger cache could not be read back. */
const CACHE_LIMIT_BYTES = 2 ** 31;

/** The capture's cache where it is whole, of this version, and not older than the file it was made from. */
export async function findCacheFile(folder: string, primary: CaptureFile): Promise<CaptureFile | null> {
  const path = join(folder, CACHE_FILE);
  const [cache, source] = [await lstat(path).catch(() => null), await lstat(primary.path)];
  if (cache === null || !cache.isFile() || cache.mtimeMs < source.mtimeMs) return null;
  const header = await readHeader(path);
  if (header === null || header.fileLength !== cache.size) return null;
  return { path, fileName: CACHE_FILE, size: cache.size, cached: true };
}

/**
 * Streams a cache to disk and puts it in place as a whole once its checksums agree. False where there is no place for it: no failure of
 * what the user does.
 */
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
    const failure = storageFailure(error, 'cache the parsed form of the capture');
    if (failure.code === 'disk-full' || failure.code === 'read-only') return false;
    throw failure;
  }
}

async function writeChecked(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    let bodyCrc = 0;
    for await (const chunk of chunks) {
      const body = chunk.subarray(Math.min(chunk.length, Math.max(0, HEADER_BYTES - bytes)));
      bodyCrc = crc32(body, bodyCrc);
      bytes += chunk.length;
      if (bytes > CACHE_LIMIT_BYTES) {
        throw new EngineFailure('too-large', 'The parsed form is too large to cache.', 'The capture still opens.');
      }
      await file.appendFile(chunk);
    }
    const header = await readHeader(path);
    if (header === null || header.fileLength !== bytes || header.bodyCrc !== bodyCrc) {
      throw new EngineFailure('invalid-arguments', 'The data sent is not a complete native file of this version.');
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The header of a native file (core/model/native/layout.ts); null where it is none of this version. */
async function readHeader(path: string): Promise<{ fileLength: number; bodyCrc: number } | null> {
  const bytes = Buffer.alloc(HEADER_BYTES);
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    await file.read(bytes, 0, HEADER_BYTES, 0);
  } finally {
    await file?.close();
  }
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) return null;
  if (crc32(bytes.subarray(0, HEADER.headerCrc)) !== bytes.readUInt32LE(HEADER.headerCrc)) return null;
  if (bytes.readUInt32LE(HEADER.version) !== FORMAT_VERSION) return null;
  return {
    fileLength: Number(bytes.readBigUInt64LE(HEADER.fileLength)),
    bodyCrc: bytes.readUInt32LE(HEADER.bodyCrc),
  };
}
