import type { CachePlace, OpenSource } from '../../analysis/methods.ts';
import type { TabSource } from '../tab-source.ts';

/** Smaller inputs parse faster than their cache is worth. */
const CACHE_FROM_BYTES = 1 << 20;

export interface ReadResult<T> {
  readonly result: T;
  /** Where its parsed form can be kept; null where it is kept already, has no place or is too small. */
  readonly cache: CachePlace | null;
}

/**
 * Reads a source by way of its cache. One that does not open any more costs a second reading, of what it was made from; `isWanted`: whether
 * anyone still waits for that. `readBytes`: how much was read.
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
