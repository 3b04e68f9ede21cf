import { visibleText } from '../analyze/function-label.ts';

/**
 * A part of a page as a tree: text stays text, wherever it comes from, and no attribute runs anything. It becomes HTML
 * for a file ({@link htmlText}), or elements of an existing document.
 */
export interface Markup {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MarkupChild[];
}
export type MarkupChild = Markup | string;

/** Values of attributes; null, undefined and false leave one out. */
export type MarkupAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Elements of reports: none loads, submits, embeds or runs anything. */
const TAGS: ReadonlySet<string> = new Set(
  (
    'a article aside b blockquote br caption code dd del details div dl dt em figcaption figure footer g h1 h2 h3 h4 h5 h6 header hr i kbd ' +
    'li main mark ol p path pre q rect s section small span strong sub summary sup svg table tbody td text tfoot th thead title tr u ul time nav line circle'
  ).split(' '),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id class lang dir href rel title role tabindex colspan rowspan scope start open datetime ' +
    'x y x1 y1 x2 y2 cx cy r rx ry d width height viewBox fill stroke stroke-dasharray text-anchor font-family font-size preserveAspectRatio xmlns'
  ).split(' '),
);

const isAttribute = (name: string): boolean => ATTRIBUTES.has(name) || /^(?:data|aria)-[a-z-]+$/.test(name);

/** Links lead to places in the page, to the web, or to a mail address. */
const isLink = (address: string): boolean => /^(?:#[\w-]+$|https?:\/\/|mailto:)/i.test(address);

/**
 * Creates an element. Throws a RangeError for elements and attributes that reports do not use; leaves out addresses
 * that are not links.
 */
export function markup(tag: string, attributes: MarkupAttributes = {}, ...children: readonly MarkupChild[]): Markup {
  if (!TAGS.has(tag)) throw new RangeError(`reports have no <${tag}>`);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (!isAttribute(name)) throw new RangeError(`reports have no attribute ${name}`);
    const text = value === true ? '' : String(value);
    if (name === 'href' && !isLink(text)) continue;
    kept[name] = text;
  }
  return { tag, attributes: kept, children };
}

const VOID: ReadonlySet<string> = new Set(['br', 'hr']);

/** Returns HTML, which is also XML if `isXml`. Makes control characters visible. */
export function htmlText(child: MarkupChild, isXml = false): string {
  const parts: string[] = [];
  write(child, isXml, parts);
  return parts.join('');
}

function write(child: MarkupChild, isXml: boolean, parts: string[]): void {
  if (typeof child === 'string') {
    parts.push(escapeText(child));
    return;
  }
  const { tag, attributes, children } = child;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  if (VOID.has(tag)) {
    parts.push(`<${tag}${written.join('')}${isXml ? '/' : ''}>`);
    return;
  }
  parts.push(`<${tag}${written.join('')}>`);
  for (const one of children) write(one, isXml, parts);
  parts.push(`</${tag}>`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Halves of surrogate pairs, and other characters that XML forbids. */
const NO_XML = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g;

/**
 * Escapes text for content and attributes of HTML and XML. Keeps line ends; makes characters visible that would move or
 * hide text, or that XML forbids.
 */
export function escapeText(text: string): string {
  const visible = text.includes('\n') ? text.split('\n').map(visibleText).join('\n') : visibleText(text);
  return visible.replace(NO_XML, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
