import { importProfile } from '#core/import/import-profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from './open-source.ts';
import type { CachePlace, OpenSource } from './methods.ts';
import { RequestFailure } from './request-failure.ts';

interface SourceToRead {
  readonly source: OpenSource;
  /** An importer's ID; null detects the format by content. */
  readonly format: string | null;
}

interface ReadProgress {
  readonly kind: 'progress';
  readonly readBytes: number;
  readonly totalBytes: number | null;
}

/** Minimum time between two progress messages, in ms. */
const PROGRESS_MS = 50;

/** Reads a source into a profile. The last progress message reports 100 %. */
export async function readSource(
  { source, format }: SourceToRead,
  tell: (progress: ReadProgress) => void,
): Promise<Profile> {
  let lastMessage = 0;
  let read = 0;
  const profile = await importProfile(byteSource(source), {
    ...(format === null ? {} : { format }),
    onProgress: (readBytes, totalBytes) => {
      read = readBytes;
      if (performance.now() - lastMessage < PROGRESS_MS) return;
      lastMessage = performance.now();
      tell({ kind: 'progress', readBytes, totalBytes });
    },
  });
  tell({ kind: 'progress', readBytes: read, totalBytes: read });
  return profile;
}

/** Sends the native form to the engine with PUT, to be read at the next opening. */
export async function keepCache(profile: Profile, { url, headers }: CachePlace): Promise<{ bytes: number }> {
  const body = new Blob(writeNative(profile) as BlobPart[]);
  const response = await fetch(url, { method: 'PUT', headers, body });
  if (!response.ok) throw new RequestFailure('cache-refused', `the engine refused the cache (HTTP ${response.status})`);
  return { bytes: body.size };
}
