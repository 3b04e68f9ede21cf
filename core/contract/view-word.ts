import { packBytes, unpackBytes } from '../report/embed.ts';
import { MAX_VIEW_WORD } from './limits.ts';

/**
 * Returns the views of a tab, as a session keeps them, as one word that needs no quotes: base64url of their packed JSON.
 * Null if it would be longer than a command line takes.
 */
export function viewToWord(views: unknown): string | null {
  const packed = packBytes(new TextEncoder().encode(JSON.stringify(views)));
  const word = packed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('\n', '').replace(/=+$/, '');
  return word.length > MAX_VIEW_WORD ? null : word;
}

/** Returns what {@link viewToWord} took, still to be checked; undefined if the word was not made by it. */
export function viewFromWord(word: string): unknown {
  if (word.length > MAX_VIEW_WORD) return undefined;
  try {
    const bytes = unpackBytes(word.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
