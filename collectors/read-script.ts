import { readFileSync } from 'node:fs';

/**
 * Returns the text of a POSIX sh script next to its module, without comment lines. Builds replace the call by the text
 * (scripts/build.ts).
 */
export const readScript = (file: URL): string => withoutScriptComments(readFileSync(file, 'utf8'));

export const withoutScriptComments = (source: string): string => source.replace(/^[ \t]*#.*\n/gm, '');
