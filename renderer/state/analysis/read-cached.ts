import type { CachePlace, OpenSource } from '../../analysis/methods.ts';
import type { TabSource } from '../tab-source.ts';

/** Smaller inputs are not cached: parsing them is fast enough. */
const CACHE_FROM_BYTES = 1 << 20;

export interface ReadResult<T> {
  readonly result: T;
  /** Where to store the parsed form; null if it is stored already, has nowhere to go, or is too small. */
  readonly cache: CachePlace | null;
}

/**
 * Reads a source through its cache. If the cache cannot be read, reads the original instead, provided that `isWanted`
 * still returns true. `readBytes` is the number of bytes read.
 */
export async function readCached<T>(
  source: TabSource,
  ignoreCache: boolean,
  read: (source: OpenSource) => Promise<T>,
  isWanted: () => boolean,
  readBytes: () => number,
): Promise<ReadResult<T>> {
  const worth = (place: CachePlace | null): CachePlace | null => (readBytes() < CACHE_FROM_BYTES ? null : place);
  const opened = await source.open(ignoreCache);
  try {
    const result = await read(opened.source);
    return { result, cache: worth(opened.cache) };
  } catch (error) {
    if (!opened.cached || !isWanted()) throw error;
    const again = await source.open(true);
    const result = await read(again.source);
    return { result, cache: worth(again.cache) };
  }
}
