import { EngineFailure } from '#app/engine/failure.ts';
import { readGivenFile, type Readers } from '#app/engine/files/read-given-file.ts';
import { usageError } from '../errors.ts';

/** Far beyond any list of rules, transforms, notes or certificates. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Reads the text of a file that an option names: a regular file or a pipe of at most 4 MiB. Throws a usage error that
 * says why it can't be read, or that others than its owner can.
 */
export function readOptionFile(path: string, readers: Readers = 'any'): string {
  try {
    return readGivenFile(path, MAX_BYTES, readers).toString();
  } catch (error) {
    if (error instanceof EngineFailure) throw usageError(error.message, error.remedy);
    throw error;
  }
}
