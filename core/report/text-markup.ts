import { visibleText } from '../analyze/function-label.ts';
import { parseMarkdown, type NoteBlock, type NoteInline } from '../notes/markdown.ts';
import { markup, type Markup, type MarkupChild } from '../export/markup.ts';

/** Returns a remark in small type. */
export const hint = (text: string): Markup => markup('p', { class: 'hint' }, text);

/** Returns lines as a list. */
export const bullets = (lines: readonly string[], attributes: { readonly class?: string } = {}): Markup =>
  markup('ul', attributes, ...lines.map((line) => markup('li', {}, visibleText(line))));

/** Returns Markdown as part of a page, with headings below those of sections. */
export function textMarkup(text: string): Markup {
  return markup('div', { class: 'prose' }, ...parseMarkdown(text).map(blockMarkup));
}

function blockMarkup(block: NoteBlock): Markup {
  switch (block.kind) {
    case 'paragraph':
      return markup('p', {}, ...inlines(block.children));
    case 'heading':
      return markup(`h${Math.min(6, block.level + 2)}`, {}, ...inlines(block.children));
    case 'code':
      return markup('pre', {}, markup('code', {}, block.text));
    case 'quote':
      return markup('blockquote', {}, ...block.children.map(blockMarkup));
    case 'list': {
      const items = block.items.map((item) => markup('li', {}, ...item.map(blockMarkup)));
      if (block.start === null) return markup('ul', {}, ...items);
      return markup('ol', { start: block.start === 1 ? null : block.start }, ...items);
    }
    case 'table': {
      const row = (cells: readonly (readonly NoteInline[])[], tag: 'th' | 'td'): Markup =>
        markup(
          'tr',
          {},
          ...cells.map((cell, column) => markup(tag, { class: block.align[column] ?? null }, ...inlines(cell))),
        );
      const [head = [], ...body] = block.rows;
      return markup(
        'table',
        {},
        markup('thead', {}, row(head, 'th')),
        markup('tbody', {}, ...body.map((cells) => row(cells, 'td'))),
      );
    }
    case 'rule':
      return markup('hr');
  }
}

function inlines(children: readonly NoteInline[]): MarkupChild[] {
  return children.map((one) => {
    switch (one.kind) {
      case 'text':
        return one.text;
      case 'code':
        return markup('code', {}, one.text);
      case 'break':
        return markup('br');
      case 'emphasis':
        return markup('em', {}, ...inlines(one.children));
      case 'strong':
        return markup('strong', {}, ...inlines(one.children));
      case 'link':
        return markup('a', { href: one.href, rel: 'noopener noreferrer' }, ...inlines(one.children));
    }
  });
}
