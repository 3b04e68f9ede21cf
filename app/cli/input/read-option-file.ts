import { EngineFailure } from '#app/engine/failure.ts';
import { attempt } from '#app/engine/files/file-source.ts';
import { readTextFile } from '#app/engine/files/read-files.ts';
import { usageError } from '../errors.ts';

/** Reads the text of a file that an option names. Throws a usage error that says why it can't be read. */
export function readOptionFile(path: string): string {
  try {
    return attempt(path, () => readTextFile(path));
  } catch (error) {
    if (error instanceof EngineFailure) throw usageError(error.message, error.remedy);
    throw error;
  }
}
