import { inlineText, type NoteBlock, type NoteInline } from './markdown.ts';

/** Formats a note's tree as HTML: escapes text, and writes no attributes except links' `href` and cells' alignment. */
export function markdownHtml(blocks: readonly NoteBlock[]): string {
  return blocks.map(blockHtml).join('');
}

function blockHtml(block: NoteBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${inlineHtml(block.children)}</p>`;
    case 'heading': {
      // One level below the headings of the surrounding page.
      const tag = `h${Math.min(6, block.level + 2)}`;
      return `<${tag}>${inlineHtml(block.children)}</${tag}>`;
    }
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'quote':
      return `<blockquote>${markdownHtml(block.children)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${markdownHtml(item)}</li>`).join('');
      if (block.start === null) return `<ul>${items}</ul>`;
      return `<ol${block.start === 1 ? '' : ` start="${block.start}"`}>${items}</ol>`;
    }
    case 'table': {
      const row = (cells: readonly (readonly NoteInline[])[], tag: 'th' | 'td'): string =>
        `<tr>${cells.map((cell, column) => `<${tag}${alignment(block.align[column])}>${inlineHtml(cell)}</${tag}>`).join('')}</tr>`;
      const [head = [], ...body] = block.rows;
      return `<table><thead>${row(head, 'th')}</thead><tbody>${body.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
    }
    case 'rule':
      return '<hr>';
  }
}

const alignment = (align: string | null | undefined): string =>
  align === null || align === undefined ? '' : ` class="${align}"`;

function inlineHtml(inlines: readonly NoteInline[]): string {
  return inlines
    .map((one) => {
      switch (one.kind) {
        case 'text':
          return escapeHtml(one.text);
        case 'code':
          return `<code>${escapeHtml(one.text)}</code>`;
        case 'break':
          return '<br>';
        case 'emphasis':
          return `<em>${inlineHtml(one.children)}</em>`;
        case 'strong':
          return `<strong>${inlineHtml(one.children)}</strong>`;
        case 'link': {
          const address = inlineText(one.children) === one.href ? '' : ` (${escapeHtml(one.href)})`;
          return `<a href="${escapeHtml(one.href)}" rel="noopener noreferrer">${inlineHtml(one.children)}</a>${address}`;
        }
      }
    })
    .join('');
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
