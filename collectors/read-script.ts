import { readFileSync } from 'node:fs';

/**
 * The text of a POSIX sh script beside its module, without the lines that are comments. Builds put the text in the call's place
 * (scripts/build.ts).
 */
export const readScript = (file: URL): string => scriptText(readFileSync(file, 'utf8'));

export const scriptText = (source: string): string => source.replace(/^[ \t]*#.*\n/gm, '');
