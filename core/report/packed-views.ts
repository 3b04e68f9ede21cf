import { packBytes, unpackBytes } from '../import/report/embed.ts';
import { MAX_VIEW_WORD } from '../contract/limits.ts';

/**
 * Returns the views of a tab, as stored in a session, as one word that needs no quotes: base64url of their packed JSON.
 * Null if it is too long for a command line.
 */
export function viewToWord(views: unknown): string | null {
  const packed = packBytes(new TextEncoder().encode(JSON.stringify(views)));
  const word = packed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('\n', '').replace(/=+$/, '');
  return word.length > MAX_VIEW_WORD ? null : word;
}

/** Returns the input of {@link viewToWord}, still unchecked; undefined if the word was not made by it. */
export function viewFromWord(word: string): unknown {
  if (word.length > MAX_VIEW_WORD) return undefined;
  try {
    const bytes = unpackBytes(word.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
