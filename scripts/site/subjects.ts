import path from 'node:path';
import { Lexer, type Token } from 'marked';
import type { PageSource } from './page.ts';

/** A group of the site's navigation. */
export interface Subject {
  readonly title: string;
  readonly links: readonly { readonly label: string; readonly file: string }[];
}

/** Returns the Markdown file that a link in `from` leads to, whatever its anchor: a folder leads to its README. Null: to none of the pages. */
export function linkedPage(from: string, place: string, pages: ReadonlyMap<string, PageSource>): string | null {
  const target = path.posix.join(path.posix.dirname(from), place.replace(/#.*/, '')).replace(/\/$/, '');
  return [target, `${target}/README.md`].find((file) => pages.has(file)) ?? null;
}

/** Reads the navigation from the table of all pages on the first page. Throws if it misses a page outside folders. */
export function readSubjects(pages: ReadonlyMap<string, PageSource>): Subject[] {
  const first = 'docs/index.md';
  const table = Lexer.lex(pages.get(first)?.markdown ?? '').findLast((token) => token.type === 'table');
  if (table?.type !== 'table') throw new Error(`${first}: the table of all pages is missing`);
  const rows = (table.rows as { readonly text: string; readonly tokens: readonly Token[] }[][]).map(
    ([subject, links]): Subject => ({
      title: subject?.text ?? '',
      links: (links?.tokens ?? []).flatMap((token) => {
        const file = token.type === 'link' ? linkedPage(first, String(token.href), pages) : null;
        return file === null ? [] : [{ label: String((token as { text?: string }).text), file }];
      }),
    }),
  );
  const listed = new Set(rows.flatMap(({ links }) => links.map(({ file }) => file)));
  for (const file of pages.keys()) {
    const isWithin = /^docs\/[^/]+\/./.test(file) && !file.endsWith('/README.md');
    if (!isWithin && file !== first && !listed.has(file)) throw new Error(`${first}: the table lacks ${file}`);
  }
  return rows;
}
