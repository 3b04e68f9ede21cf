import { existsSync } from 'node:fs';

/** The word for the standard input or output in place of a path. */
export const STDIO = '-';

/**
 * Returns whether a word names the standard input or a file, not something in the library. A word with a slash is a path
 * even if there is no such file, so that a misspelt path is reported as one.
 */
export const isFileWord = (word: string): boolean => word === STDIO || word.includes('/') || existsSync(word);

/** Returns a word that names nothing as messages show it: an empty one in quotes. */
export const shownWord = (word: string): string => (word === '' ? "''" : word);

/** Returns an input's path as messages show it. */
export const shownInput = (path: string): string => (path === STDIO ? 'the standard input' : path);
