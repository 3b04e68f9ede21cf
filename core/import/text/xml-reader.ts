import { ImportFailure } from '../../model/failure.ts';

export type Attributes = ReadonlyMap<string, string>;

/** Receives a document's parts in order. An empty element is opened, then closed. */
interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  /** Text of the innermost open element; split into pieces if other markup is in between. */
  text(text: string): void;
  close(name: string): void;
}

/** Maximum length of a tag, comment or piece of text, in UTF-16 units; no tool writes longer ones. */
const MAX_PIECE = 16 * 2 ** 20;
/** Deeper than any tool's output, and still little memory. */
const MAX_DEPTH = 10_000;
const NAME = /[^\s/>"'=]+/y;
const ATTRIBUTE = /\s+([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const TAG_END = /\s*(\/?)>$/y;
const ENTITY = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Starts with `<!` or `<?` and the matching ends. */
const SPECIAL = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const;

/**
 * Reads XML as its bytes arrive: elements, attributes, text. No document types; entities other than XML's own are left
 * as they are.
 */
export class XmlReader {
  readonly #handler: XmlHandler;
  readonly #decoder = new TextDecoder();
  readonly #open: string[] = [];
  #pending = '';
  /** Text that arrived since `#pending` was last searched for its end. */
  #waiting = '';
  #line = 1;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  /** Current line of the reader, 1-based. */
  get line(): number {
    return this.#line;
  }

  push(chunk: Uint8Array): void {
    this.#waiting += this.#decoder.decode(chunk, { stream: true });
    // A long piece is searched again only once it has doubled, so that the work stays linear.
    const { length } = this.#waiting;
    if (length < this.#pending.length && length + this.#pending.length <= MAX_PIECE) return;
    this.#read(this.#takeWaiting());
  }

  /** Throws `ImportFailure` if elements are still open. */
  finish(): void {
    this.#read(this.#takeWaiting() + this.#decoder.decode());
    if (this.#open.length > 0 || this.#pending.trim() !== '') this.fail('the XML text is truncated');
  }

  fail(message: string): never {
    throw new ImportFailure('malformed', message, { line: this.#line });
  }

  #takeWaiting(): string {
    const text = this.#waiting;
    this.#waiting = '';
    return text;
  }

  #read(text: string): void {
    const all = this.#pending + text;
    let at = 0;
    let newline = all.indexOf('\n');
    while (at < all.length) {
      const end = this.#piece(all, at);
      if (end < 0) break;
      for (; newline >= 0 && newline < end; newline = all.indexOf('\n', newline + 1)) this.#line += 1;
      at = end;
    }
    this.#pending = all.slice(at);
    if (this.#pending.length <= MAX_PIECE) return;
    const limit = MAX_PIECE / 2 ** 20;
    throw new ImportFailure(
      'too-large',
      `a tag or text of more than ${limit} Mi characters; export the profile again`,
      { line: this.#line },
    );
  }

  /** Returns the end of the piece that starts at `at`; −1 if it has not arrived. */
  #piece(all: string, at: number): number {
    if (all[at] !== '<') {
      const end = all.indexOf('<', at);
      if (end >= 0 && this.#open.length > 0) this.#handler.text(unescaped(all.slice(at, end)));
      return end;
    }
    // Enough characters to recognise the special piece.
    if (all.length - at < 9 && !all.includes('>', at)) return -1;
    for (const [start, end] of SPECIAL) if (all.startsWith(start, at)) return this.#special(all, at, start, end);
    const end = tagEnd(all, at);
    if (end >= 0) this.#tag(all.slice(at + 1, end));
    return end;
  }

  #special(all: string, at: number, start: string, end: string): number {
    const place = all.indexOf(end, at + start.length);
    if (place < 0) return -1;
    const content = all.slice(at + start.length, place);
    if (start === '<!' && content.includes('[')) this.fail('a document type with declarations');
    if (start === '<![CDATA[' && this.#open.length > 0) this.#handler.text(content);
    return place + end.length;
  }

  /** `content` starts after `<` and includes `>`. */
  #tag(content: string): void {
    if (content.startsWith('/')) {
      const name = content.slice(1, -1).trimEnd();
      if (this.#open.pop() !== name) this.fail(`</${name.slice(0, 40)}> closes an element that is not open`);
      return this.#handler.close(name);
    }
    NAME.lastIndex = 0;
    const name = NAME.exec(content)?.[0] ?? this.fail('a tag without a name');
    const attributes = new Map<string, string>();
    let at = name.length;
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const [whole, key, double, single] = ATTRIBUTE.exec(content) ?? [];
      if (whole === undefined) break;
      attributes.set(key!, unescaped(double ?? single ?? ''));
      at += whole.length;
    }
    TAG_END.lastIndex = at;
    const slash = TAG_END.exec(content)?.[1] ?? this.fail(`<${name.slice(0, 40)}> is not a tag`);
    this.#handler.open(name, attributes);
    if (slash === '/') return this.#handler.close(name);
    if (this.#open.push(name) > MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} nested elements`);
  }
}

/** Returns the position after the `>` of the tag at `at`, skipping `>` in quotes; −1 if it has not arrived. */
function tagEnd(all: string, at: number): number {
  let quote = '';
  for (let place = at + 1; place < all.length; place++) {
    const character = all[place]!;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return place + 1;
  }
  return -1;
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (whole, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return NAMED[name]!;
    const point = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
