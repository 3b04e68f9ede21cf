import type { CaptureDocument } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import { isCaptureId } from './captures/files.ts';
import type { Library } from './library.types.ts';

/**
 * Returns the captures that a word of a command line can refer to: the one with that ID, else those whose ID begins with
 * it if it looks like the beginning of one, else those with that name, else those whose name or ID begins with it. Only
 * the last two read all captures. Bundled samples are used only if no other capture matches. Throws if the
 * capture with that ID is unreadable.
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
  const begins = BEGINNING.test(word) ? await library.beginning(word) : [];
  if (begins.length > 0) return begins;
  const { captures } = await library.list();
  const named = captures.filter(({ name }) => name === word);
  const begun =
    named.length > 0 ? named : captures.filter(({ id, name }) => name.startsWith(word) || id.startsWith(word));
  const own = begun.filter(({ origin }) => origin !== 'sample');
  return own.length > 0 ? own : begun;
}

/** A date and more of a generated ID. */
const BEGINNING = /^\d{8}-[\d-]*[\da-f]*$/;

/** Number of captures that the error for an ambiguous word names. */
const NAMED = 5;

/** Returns a list such as `a (nginx), b (nginx) and 3 more`. */
export function listAmbiguous(captures: readonly CaptureDocument[]): string {
  const some = captures.slice(0, NAMED).map(({ id, name }) => `${id} (${name})`);
  return `${some.join(', ')}${captures.length > NAMED ? ` and ${captures.length - NAMED} more` : ''}`;
}
