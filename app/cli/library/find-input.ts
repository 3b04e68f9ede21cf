import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { classifyWord, shownWord } from '#app/engine/files/classify-word.ts';
import { noteRead } from '#app/engine/files/read-files.ts';
import type { Library } from '#app/engine/library/library.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
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
  if (classifyWord(word) !== 'name') {
    return { path: word, document: await captureBeside(word), isCapture: false };
  }
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

/** Opens a capture's file or its cache, and notes that neither may become an output. */
export async function openCapture(library: Library, { id, primaryFile }: CaptureDocument) {
  const opened = await library.openFile(id);
  const primary = await stat(join(library.path, id, primaryFile), { bigint: true }).catch(() => null);
  if (primary !== null) noteRead(primary);
  return opened;
}

/** Returns the capture that a word names: by its ID, its name, or a prefix of either that is unique. */
export async function findCapture(library: Library, word: string): Promise<CaptureDocument> {
  const { listAmbiguous, matchCaptures } = await import('#app/engine/library/match-captures.ts');
  const [document, ...others] = await matchCaptures(library, word);
  if (document === undefined) {
    const { isExperimentId } = await import('#app/engine/library/experiment-document.ts');
    const remedy = isExperimentId(word)
      ? `flamebench summary ${word} and flamebench diff ${word} print an experiment`
      : 'flamebench captures lists them';
    throw usageError(`${shownWord(word)} is neither a file nor a capture in ${library.path}`, remedy);
  }
  if (others.length > 0) throw usageError(`${word} could be ${listAmbiguous([document, ...others])}`, 'give the id');
  return document;
}
