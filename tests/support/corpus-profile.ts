import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from './byte-source.ts';
import { readCorpus } from './corpus.ts';

/**
 * Reads a corpus file; null if Flamebench does not read its format or the file is damaged. The importers' tests check
 * which files must be readable.
 */
export async function readCorpusProfile(path: string): Promise<Profile | null> {
  try {
    return await importProfile(byteSource(readCorpus(path), path.slice(path.lastIndexOf('/') + 1)));
  } catch (error) {
    if (error instanceof ImportFailure) return null;
    throw error;
  }
}
