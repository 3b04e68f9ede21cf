import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import { isCaptureId } from './capture-files.ts';
import type { Library } from './library.types.ts';

/**
 * The captures that a word of a command line can mean: the one of that id, else those of that name, else those whose name or id begins
 * with it. Bundled samples count where no other capture fits. Throws where the one of that id can't be read.
 */
export async function matchCaptures(library: Library, word: string): Promise<readonly CaptureDocument[]> {
  if (word === '') return [];
  if (isCaptureId(word)) {
    const exact = await library.get(word).catch((error: unknown) => {
      if (error instanceof EngineFailure && error.code === 'not-found') return null;
      throw error;
    });
    if (exact !== null) return [exact];
  }
  const { captures } = await library.list();
  const named = captures.filter(({ name }) => name === word);
  const begun =
    named.length > 0 ? named : captures.filter(({ id, name }) => name.startsWith(word) || id.startsWith(word));
  const own = begun.filter(({ origin }) => origin !== 'sample');
  return own.length > 0 ? own : begun;
}

/** Captures that an ambiguous word could mean, named in the error. */
const NAMED = 5;

/** `a (nginx), b (nginx) and 3 more` */
export function listAmbiguous(captures: readonly CaptureDocument[]): string {
  const some = captures.slice(0, NAMED).map(({ id, name }) => `${id} (${name})`);
  return `${some.join(', ')}${captures.length > NAMED ? ` and ${captures.length - NAMED} more` : ''}`;
}
