import { SaxesParser } from 'saxes';
import { malformed, tooLarge } from '../../model/failure.ts';
import { joinBytes } from '../../model/join-bytes.ts';
import { decodeDocument } from '../../model/decode-text.ts';

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

/**
 * Reads XML as its bytes arrive: elements, attributes, text. Throws `ImportFailure` if it is not well-formed or has a
 * document type with declarations; entities other than XML's own stay as they are.
 */
export class XmlReader {
  readonly #parser = new SaxesParser();
  /** Bytes of the last chunk after its last ASCII character, which may end within a character. */
  #rest = new Uint8Array(0);
  #depth = 0;
  #isEnding = false;
  /** UTF-16 units since the parser's last event. */
  #silent = 0;
  /** Some text was not valid UTF-8 and was read as Latin-1. */
  isLatin1 = false;

  constructor(handler: XmlHandler) {
    const parser = this.#parser;
    parser.on('error', ({ message }) => {
      if (this.#isEnding) this.fail('the XML text is truncated');
      // It stays as it is.
      if (!message.includes('entity')) this.fail(`not well-formed XML: ${message.replace(/^\d+:\d+: |\.$/g, '')}`);
    });
    parser.on('doctype', (text) => {
      if (text.includes('[')) this.fail('a document type with declarations');
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#silent = 0;
      if (++this.#depth > MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} nested elements`);
      handler.open(name, new Map(Object.entries(attributes)));
    });
    const pass = (text: string): void => {
      this.#silent = 0;
      if (this.#depth > 0) handler.text(text);
    };
    parser.on('text', pass);
    parser.on('cdata', pass);
    parser.on('closetag', ({ name }) => {
      this.#silent = 0;
      this.#depth -= 1;
      handler.close(name);
    });
  }

  /** Current line of the reader, 1-based. */
  get line(): number {
    return this.#parser.line;
  }

  push(chunk: Uint8Array): void {
    const bytes = joinBytes([this.#rest, chunk]);
    const end = bytes.findLastIndex((byte) => byte < 0x80) + 1;
    this.#rest = bytes.slice(end);
    this.#write(bytes.subarray(0, end));
    if (this.#silent + this.#rest.length <= MAX_PIECE) return;
    const limit = MAX_PIECE / 2 ** 20;
    const message = `a tag or text of more than ${limit} Mi characters; export the profile again`;
    throw tooLarge(message, this.line);
  }

  finish(): void {
    this.#write(this.#rest);
    this.#isEnding = true;
    this.#parser.close();
  }

  #write(bytes: Uint8Array): void {
    const { text, latin1 } = decodeDocument(bytes);
    this.isLatin1 ||= latin1;
    this.#silent += text.length;
    this.#parser.write(text);
  }

  fail(message: string): never {
    throw malformed(message, this.line);
  }
}
