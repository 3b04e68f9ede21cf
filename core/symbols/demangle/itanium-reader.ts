/** Limits for hostile names, because names can refer to their own parts. */
const MAX_DEPTH = 150;
const MAX_OUTPUT = 50_000;

/** The text is not a mangled name, or is of an unsupported kind. */
export class NotMangled extends Error {}

/** Returns null if `read` finds that its text is not a mangled name. */
export function ifMangled(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotMangled) return null;
    throw error;
  }
}

/** Text printed before and after a declared name: `void (*` and `)(int)`. */
export type Type = readonly [before: string, after: string];

export interface Name {
  readonly text: string;
  /** Qualifiers of a member function: ` const`, ` &&`. */
  readonly qualifiers: string;
  /** The name ends in template arguments; such functions include their return type. */
  readonly isTemplate: boolean;
  /** Constructors, destructors and conversions never have a return type. */
  readonly hasNoReturnType: boolean;
}

/** Reads a mangled name from left to right. */
export class ItaniumReader {
  readonly #text: string;
  protected position = 0;
  #depth = 0;
  #work = 0;

  constructor(text: string) {
    this.#text = text;
  }

  protected atEnd(): boolean {
    return this.position >= this.#text.length;
  }

  protected peek(offset = 0): string {
    return this.#text[this.position + offset] ?? '';
  }

  protected peekIs(code: string): boolean {
    return this.#text.startsWith(code, this.position);
  }

  protected rest(): string {
    return this.#text.slice(this.position, this.position + 16);
  }

  protected skip(count: number): void {
    this.position += count;
    if (this.position > this.#text.length) throw new NotMangled();
  }

  protected take(code: string): boolean {
    if (!this.peekIs(code)) return false;
    this.position += code.length;
    return true;
  }

  protected number(): number {
    const start = this.position;
    while (/\d/.test(this.peek())) this.position += 1;
    if (this.position === start || this.position - start > 9) throw new NotMangled();
    return Number(this.#text.slice(start, this.position));
  }

  /** Returns −1 if there is none; the ABI counts `_`, `0_`, `1_`… */
  protected numberIfAny(): number {
    return /\d/.test(this.peek()) ? this.number() : -1;
  }

  /** Reads a base 36 number, as in `S1A_`; 0 for `_`. */
  protected sequenceNumber(): number {
    const start = this.position;
    while (/[0-9A-Z]/.test(this.peek())) this.position += 1;
    const digits = this.#text.slice(start, this.position);
    if (!this.take('_') || digits.length > 5) throw new NotMangled();
    return digits === '' ? 0 : Number.parseInt(digits, 36) + 1;
  }

  protected sourceName(): string {
    const length = this.number();
    const name = this.#text.slice(this.position, this.position + length);
    if (length === 0 || name.length < length) throw new NotMangled();
    this.position += length;
    return name.startsWith('_GLOBAL__N') ? '(anonymous namespace)' : name;
  }

  /** Runs one level deeper, within the limits. */
  protected nested<T>(read: () => T): T {
    this.#depth += 1;
    this.#work += 1;
    if (this.#depth > MAX_DEPTH || this.#work > MAX_OUTPUT) throw new NotMangled();
    const result = read();
    this.#depth -= 1;
    return result;
  }

  protected limit(text: string): string {
    this.#work += text.length >> 6;
    if (text.length > MAX_OUTPUT) throw new NotMangled();
    return text;
  }
}
