import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from './byte-source.ts';
import { readCorpus } from './corpus.ts';

/** Null: no format that Flamebench reads, or damaged; tests of the importers say which must not be. */
export async function readCorpusProfile(path: string): Promise<Profile | null> {
  try {
    return await importProfile(byteSource(readCorpus(path), path.slice(path.lastIndexOf('/') + 1)));
  } catch (error) {
    if (error instanceof ImportFailure) return null;
    throw error;
  }
}
