import type { Nodes, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Text within a paragraph, heading or cell. */
export type NoteInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'emphasis' | 'strong'; readonly children: readonly NoteInline[] }
  /**
   * `href` begins with `https:`, `http:` or `mailto:`. Must be displayed with the link unless the children are the
   * address itself.
   */
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly NoteInline[] };

export type NoteBlock =
  | { readonly kind: 'paragraph'; readonly children: readonly NoteInline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly NoteInline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly NoteBlock[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly (readonly NoteBlock[])[] }
  | { readonly kind: 'table'; readonly align: readonly CellAlign[]; readonly rows: readonly (readonly NoteCell[])[] }
  | { readonly kind: 'rule' };

/** null: in the direction of the text. */
type CellAlign = 'left' | 'right' | 'center' | null;
type NoteCell = readonly NoteInline[];

/** Blocks and emphasis nested deeper are shown as typed. */
const MAX_DEPTH = 20;

/** A line that opens more blocks than any text needs; the time to parse them grows with their square. */
const DEEP_LINE = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){50}/m;

/**
 * Parses a note as CommonMark with tables. Nothing is left out: HTML, images, references without a target and links to
 * other schemes become text. The tree contains no HTML and no addresses except those of links, so printing it only
 * requires escaping text.
 */
export function parseMarkdown(source: string): NoteBlock[] {
  if (DEEP_LINE.test(source)) return [paragraphOf(source)];
  const root = fromMarkdown(source, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  const addresses = new Map<string, string>();
  for (const node of root.children) if (node.type === 'definition') addresses.set(node.identifier, node.url);
  const reading = new MarkdownReader(source, addresses);
  return reading.blocks(root.children, 0);
}

const paragraphOf = (text: string): NoteBlock => ({ kind: 'paragraph', children: [{ kind: 'text', text }] });

class MarkdownReader {
  readonly #source: string;
  /** Addresses of link definitions, by identifier. */
  readonly #addresses: ReadonlyMap<string, string>;

  constructor(source: string, addresses: ReadonlyMap<string, string>) {
    this.#source = source;
    this.#addresses = addresses;
  }

  blocks(nodes: readonly Nodes[], depth: number): NoteBlock[] {
    return nodes.flatMap((node) => this.#block(node as RootContent, depth));
  }

  #block(node: RootContent, depth: number): NoteBlock[] {
    if (depth > MAX_DEPTH) return [paragraphOf(this.#typed(node))];
    switch (node.type) {
      case 'paragraph':
        return [{ kind: 'paragraph', children: this.#inlines(node.children, depth) }];
      case 'heading':
        return [{ kind: 'heading', level: node.depth, children: this.#inlines(node.children, depth) }];
      case 'code':
        return [{ kind: 'code', text: node.value }];
      case 'blockquote':
        return [{ kind: 'quote', children: this.blocks(node.children, depth + 1) }];
      case 'list': {
        const start = node.ordered === true ? (node.start ?? 1) : null;
        return [{ kind: 'list', start, items: node.children.map((item) => this.blocks(item.children, depth + 1)) }];
      }
      case 'table':
        return [this.#table(node, depth)];
      case 'thematicBreak':
        return [{ kind: 'rule' }];
      case 'definition':
        // Its address appears where it is referenced.
        return [];
      default:
        return [paragraphOf(this.#typed(node))];
    }
  }

  #table({ align, children }: Table, depth: number): NoteBlock {
    const columns = children[0]?.children.length ?? 0;
    return {
      kind: 'table',
      align: Array.from({ length: columns }, (_, column) => align?.[column] ?? null),
      rows: children.map((row) => row.children.map((cell) => this.#inlines(cell.children, depth))),
    };
  }

  #inlines(nodes: readonly Nodes[], depth: number): NoteInline[] {
    return nodes.flatMap((node) => this.#inline(node, depth));
  }

  #inline(node: Nodes, depth: number): NoteInline[] {
    if (depth > MAX_DEPTH) return [{ kind: 'text', text: this.#typed(node) }];
    switch (node.type) {
      case 'text':
        return [{ kind: 'text', text: node.value }];
      case 'inlineCode':
        return [{ kind: 'code', text: node.value }];
      case 'break':
        return [{ kind: 'break' }];
      case 'emphasis':
      case 'strong':
        return [{ kind: node.type, children: this.#inlines(node.children, depth + 1) }];
      case 'link':
        return this.#link(node.url, node.children, depth);
      case 'linkReference':
        return this.#link(this.#addresses.get(node.identifier) ?? '', node.children, depth);
      default:
        return [{ kind: 'text', text: this.#typed(node) }];
    }
  }

  #link(address: string, nodes: readonly Nodes[], depth: number): NoteInline[] {
    const children = this.#inlines(nodes, depth + 1);
    if (isAllowed(address)) return [{ kind: 'link', href: address, children }];
    return [...children, { kind: 'text', text: ` (${address})` }];
  }

  /** Returns the text as typed in the note. */
  #typed({ position }: Nodes): string {
    return this.#source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  }
}

const isAllowed = (address: string): boolean =>
  /^(?:https?:\/\/|mailto:)[^\s\u0000-\u001f\u007f-\u009f]+$/i.test(address);

/** Returns the text of part of a note, without formatting. */
export function inlineText(inlines: readonly NoteInline[]): string {
  return inlines
    .map((one) => (one.kind === 'break' ? '\n' : 'text' in one ? one.text : inlineText(one.children)))
    .join('');
}
