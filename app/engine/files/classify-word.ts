import { existsSync } from 'node:fs';

/** The word for the standard input or output in place of a path. */
export const STDIO = '-';

/** What a word that names an input is: the standard input, the path of a file, or the name or ID of something in the library. */
export type WordKind = 'stdin' | 'path' | 'name';

/** A word with a slash is a path even if there is no such file, so that a misspelt path is reported as one. */
export function classifyWord(word: string): WordKind {
  if (word === STDIO) return 'stdin';
  return word.includes('/') || existsSync(word) ? 'path' : 'name';
}

/** Returns a word that names nothing as messages show it: an empty one in quotes. */
export const shownWord = (word: string): string => (word === '' ? "''" : word);

/** Returns an input's path as messages show it. */
export const shownInput = (path: string): string => (path === STDIO ? 'the standard input' : path);
