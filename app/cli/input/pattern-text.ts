import { usageError } from '../errors.ts';

/**
 * Splits `regex=label` at the last `=` that is neither escaped nor part of `(?=` or `(?<=`; without one the label is
 * empty.
 */
export function splitLabel(text: string): { pattern: string; label: string } {
  const at = [...text.matchAll(/(?<!\\|\(\?|\(\?<)=/g)].at(-1)?.index ?? -1;
  return at < 0 ? { pattern: text, label: '' } : { pattern: text.slice(0, at), label: text.slice(at + 1) };
}

const SYNTAX = '^$.*+?()[]{}|/';

/**
 * Parses sed's `s/regex/replacement/`. Any character may replace the slash; a backslash makes it literal. A trailing
 * `i` ignores case; every match is replaced, with or without `g`. Throws a usage error for other forms.
 */
export function parseSubstitution(
  text: string,
  option = '--rename',
): { pattern: string; ignoreCase: boolean; replacement: string } {
  const form = /^s(?<slash>[^\\\s\w])(?<pattern>.+)$/su.exec(text)?.groups;
  const slash = form?.['slash'] ?? '/';
  const parts = splitUnescaped(form?.['pattern'] ?? '', slash);
  const [pattern, replacement, options] = parts;
  if (parts.length !== 3 || pattern === '' || !/^(g|i|gi|ig)?$/.test(options!)) {
    throw usageError(
      `${option} ${text}: not of the form s/regex/replacement/`,
      'end it with a slash; i after it ignores case',
    );
  }
  return {
    pattern: SYNTAX.includes(slash) ? pattern! : pattern!.replaceAll(`\\${slash}`, slash),
    ignoreCase: options!.includes('i'),
    replacement: replacement!.replaceAll(`\\${slash}`, slash),
  };
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(separator, at)) {
      parts.push(text.slice(start, at));
      start = at + separator.length;
    }
  }
  return [...parts, text.slice(start)];
}
