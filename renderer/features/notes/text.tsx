import { useMemo, type ReactElement, type ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { inlineText, parseMarkdown, type NoteBlock, type NoteInline } from '#core/notes/markdown.ts';

/** Renders a note's Markdown as elements; HTML is shown as text, and only links of core/notes/markdown.ts are links. */
export function NoteText({ text }: { text: string }): ReactElement {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div className="note-text">{blocks.map(showBlock)}</div>;
}

function showBlock(block: NoteBlock, key: number): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{block.children.map(showInline)}</p>;
    case 'heading':
      // A heading element would appear among the window's own headings.
      return (
        <p key={key} className={`note-heading level-${Math.min(3, block.level)}`}>
          {block.children.map(showInline)}
        </p>
      );
    case 'code':
      return (
        <pre key={key} className="mono">
          <code>{shown(block.text)}</code>
        </pre>
      );
    case 'quote':
      return <blockquote key={key}>{block.children.map(showBlock)}</blockquote>;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{item.map(showBlock)}</li>);
      return block.start === null ? (
        <ul key={key}>{items}</ul>
      ) : (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      );
    }
    case 'table':
      return <NoteTable key={key} table={block} />;
    case 'rule':
      return <hr key={key} />;
  }
}

function NoteTable({ table }: { table: Extract<NoteBlock, { kind: 'table' }> }): ReactElement {
  const [head = [], ...body] = table.rows;
  return (
    <div className="note-table">
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} className={table.align[column] ?? undefined}>
                {cell.map(showInline)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column} className={table.align[column] ?? undefined}>
                  {cell.map(showInline)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function showInline(inline: NoteInline, key: number): ReactNode {
  switch (inline.kind) {
    case 'text':
      return shown(inline.text);
    case 'code':
      return (
        <code key={key} className="mono">
          {shown(inline.text)}
        </code>
      );
    case 'break':
      return <br key={key} />;
    case 'emphasis':
      return <em key={key}>{inline.children.map(showInline)}</em>;
    case 'strong':
      return <strong key={key}>{inline.children.map(showInline)}</strong>;
    case 'link': {
      const isAddress = inlineText(inline.children) === inline.href;
      return (
        <span key={key}>
          <a href={inline.href} target="_blank" rel="noopener noreferrer">
            {inline.children.map(showInline)}
          </a>
          {!isAddress && <span className="dim"> ({shown(inline.href)})</span>}
        </span>
      );
    }
  }
}

/** Keeps line breaks and makes other control and direction characters visible. */
const shown = (text: string): string => text.split('\n').map(visibleText).join('\n');
