import { visibleText } from '../analyze/function-label.ts';

/** Returns a table; its cells are escaped already. */
export const table = (head: string, rule: string, lines: readonly string[]): string =>
  [`| ${head} |`, `| ${rule} |`, ...lines.map((line) => `| ${line} |`)].join('\n');

/** Escapes text that is not Markdown: names may contain `*`, `<` and `|`. */
export const plain = (text: string): string => visibleText(text).replace(/[\\`*_{}[\]<>|#~]/g, String.raw`\$&`);

/** Returns a name as code, within more backticks than it contains. */
export function code(text: string): string {
  const visible = visibleText(text.slice(0, 1000));
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `${ticks}${visible}${ticks}` : `${ticks} ${visible} ${ticks}`;
}

/** Escapes bars, which end a table cell even within code. */
export const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}
