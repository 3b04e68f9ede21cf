import { existsSync } from 'node:fs';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Library } from '#app/engine/library/library.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { captureBeside } from './capture-beside.ts';

/** A profile as a command was given it. */
export interface FoundInput {
  /** `-`: the standard input. */
  readonly path: string;
  /** What is known of it: of a capture, or of a file that lies in one's folder. */
  readonly document: CaptureDocument | null;
  /** It was named as a capture of the library. */
  readonly isCapture: boolean;
  /** For `readInput`; undefined: by where the file lies. */
  readonly mayReadHere?: boolean;
}

/** A file where one is there or the word is a path, else a capture of the library, which is opened only then. Throws a `CliError`. */
export async function findInput(word: string, folder: string | undefined): Promise<FoundInput> {
  if (word === '-' || word.includes('/') || existsSync(word)) {
    return { path: word, document: await captureBeside(word), isCapture: false };
  }
  const library = await (await import('./open-library.ts')).openCliLibrary(folder);
  try {
    const document = await theCapture(library, word);
    const { path } = await library.openFile(document.id);
    return { path, document, isCapture: true, mayReadHere: (await library.mayReadHere(document)) !== null };
  } catch (error) {
    throw toCliError(error);
  } finally {
    library.close();
  }
}

/** The capture that the word means: its id, its name, or the beginning of either that only one capture has. */
export async function theCapture(library: Library, word: string): Promise<CaptureDocument> {
  const { listAmbiguous, matchCaptures } = await import('#app/engine/library/match-captures.ts');
  const [document, ...others] = await matchCaptures(library, word);
  if (document === undefined) {
    const remedy = 'flamebench captures lists them';
    throw usageError(`${word} is neither a file nor a capture in ${library.path}`, remedy);
  }
  if (others.length > 0) throw usageError(`${word} could be ${listAmbiguous([document, ...others])}`, 'give the id');
  return document;
}
