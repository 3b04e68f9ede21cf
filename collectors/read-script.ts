import { readFileSync } from 'node:fs';

/**
 * Returns the text of a script next to its module, without lines that begin with `#`. Builds replace the call by the
 * text (scripts/build.ts).
 */
export const readScript = (file: URL): string => withoutScriptComments(readFileSync(file, 'utf8'));

export const withoutScriptComments = (source: string): string => source.replace(/^[ \t]*#.*\n/gm, '');

/**
 * Fills the placeholders of a recipe in one pass, so that a path or a name that looks like one of them, or like a
 * pattern of `replaceAll`, stays as it is.
 */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(new RegExp(Object.keys(values).join('|'), 'g'), (name) => values[name]!);
