import { EngineFailure } from '#app/engine/failure.ts';
import { readGivenFile } from '#app/engine/files/read-given-file.ts';
import { usageError } from '../errors.ts';

/** Far beyond any list of rules, transforms, notes or certificates. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Reads the text of a file that an option names: a regular file or a pipe of at most 4 MiB. Throws a usage error that
 * says why it can't be read.
 */
export function readOptionFile(path: string): string {
  try {
    return readGivenFile(path, MAX_BYTES).toString();
  } catch (error) {
    if (error instanceof EngineFailure) throw usageError(error.message, error.remedy);
    throw error;
  }
}
