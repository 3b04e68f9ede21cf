import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { isFileWord } from '#app/engine/files/classify-word.ts';
import { noteRead } from '#app/engine/files/read-files.ts';
import type { Library } from '#app/engine/library/library.ts';
import { toCliError } from '../engine-errors.ts';
import { captureBeside } from './capture-beside.ts';

/** A command's input profile. */
export interface FoundInput {
  /** The path; `-` is stdin. */
  readonly path: string;
  /** The document of the capture, or of the capture in whose folder the file is. */
  readonly document: CaptureDocument | null;
  /** True if it was named as a capture of the library. */
  readonly isCapture: boolean;
  /** Passed to `readInput`; undefined derives it from the file's location. */
  readonly mayReadHere?: boolean;
}

/**
 * Returns the file if it exists or the word is a path, else a capture of the library, which is opened only in that
 * case. Throws a `CliError`.
 */
export async function findInput(word: string, folder: string | undefined): Promise<FoundInput> {
  if (isFileWord(word)) return { path: word, document: await captureBeside(word), isCapture: false };
  const library = await (await import('./open-library.ts')).openCliLibrary(folder);
  try {
    const document = await findCapture(library, word);
    const { path } = await openCapture(library, document);
    return { path, document, isCapture: true, mayReadHere: (await library.mayReadHere(document)) !== null };
  } catch (error) {
    throw toCliError(error);
  } finally {
    library.close();
  }
}

/** Returns the ID of the experiment that a word names; null if it names a file or something else. Throws a `CliError`. */
export async function findExperimentId(word: string, folder: string | undefined): Promise<string | null> {
  if (isFileWord(word)) return null;
  const { withLibrary } = await import('./open-library.ts');
  const { experimentNamed } = await import('#app/engine/library/find-named.ts');
  return withLibrary(folder, (library) => experimentNamed(library, word));
}

/** Opens a capture's file or its cache, and notes that neither may become an output. */
export async function openCapture(library: Library, { id, primaryFile }: CaptureDocument) {
  const opened = await library.openFile(id);
  const primary = await stat(join(library.path, id, primaryFile), { bigint: true }).catch(() => null);
  if (primary !== null) noteRead(primary);
  return opened;
}

/** Returns the capture that a word names; see `findNamed`. */
export async function findCapture(library: Library, word: string): Promise<CaptureDocument> {
  const { findNamed } = await import('#app/engine/library/find-named.ts');
  return library.get((await findNamed(library, word, ['capture'])).id);
}
