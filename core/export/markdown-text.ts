import { visibleText } from '../analyze/function-label.ts';

/** Returns a table; its cells are escaped already. */
export const table = (head: string, rule: string, lines: readonly string[]): string =>
  [`| ${head} |`, `| ${rule} |`, ...lines.map((line) => `| ${line} |`)].join('\n');

/** Escapes text that is not Markdown: names may contain `*`, `<` and `|`. */
export const plain = (text: string): string => visibleText(text).replace(/[\\`*_{}[\]<>|#~]/g, String.raw`\$&`);

/** Longest name, in UTF-16 code units. */
const MOST_CODE = 1000;

/** Returns a name as code, within more backticks than it contains. */
export function code(text: string): string {
  const visible = visibleText(text.slice(0, MOST_CODE));
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${visible}${ticks}` : `${ticks} ${visible} ${ticks}`;
}

/** Escapes bars, which end a table cell even within code, unless `plain` has escaped them already. */
export const cell = (text: string): string =>
  text.replace(/(\\*)\|/g, (found, escapes: string) => (escapes.length % 2 === 0 ? `${escapes}\\|` : found));

/** Returns a name as code in a table cell; code can't hold a backslash before a bar there, so that name is text. */
export const codeCell = (text: string): string =>
  text.includes(String.raw`\|`) ? plain(text.slice(0, MOST_CODE)) : cell(code(text));

export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

/**
 * Escapes text for a comment of a code host, which turns `@name`, `#12` and addresses into mentions and links whatever
 * Markdown says: a zero-width space, as a character reference, separates them. Text in `code()` needs none.
 */
export const unlinked = (text: string): string =>
  plain(text.replaceAll('&', '&amp;')).replace(
    /@|#|:\/\/|www\.|\bGH-/gi,
    (found) => `${found.slice(0, 1)}&#8203;${found.slice(1)}`,
  );
