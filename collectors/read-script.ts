import { readFileSync } from 'node:fs';

/**
 * Returns the text of a script next to its module, without lines that begin with `#`. Builds replace the call by the
 * text (scripts/build.ts).
 */
export const readScript = (file: URL): string => withoutScriptComments(readFileSync(file, 'utf8'));

export const withoutScriptComments = (source: string): string => source.replace(/^[ \t]*#.*\n/gm, '');
