/** More bytes than a login shell prints. */
const MAX_PREAMBLE = 1024 * 1024;

/** More bytes than any marked line has. */
const MAX_LINE = 16 * 1024;
const NEWLINE = 0x0a;

/** Cuts off everything before the first line that ends with the mark. */
export class MarkedStart {
  readonly #mark: Buffer;
  #pending: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(mark: string) {
    this.#mark = Buffer.from(`${mark}\n`);
  }

  /** Returns the bytes after the mark; throws if a megabyte arrives without it. */
  feed(chunk: Buffer): Buffer {
    if (this.#hasBegun) return chunk;
    this.#pending = Buffer.concat([this.#pending, chunk]);
    const at = this.#pending.indexOf(this.#mark);
    if (at < 0) {
      if (this.#pending.length > MAX_PREAMBLE) throw new Error('the login shell’s output does not end');
      return Buffer.alloc(0);
    }
    this.#hasBegun = true;
    return this.#pending.subarray(at + this.#mark.length);
  }
}

/** Extracts the lines that begin with the mark from a stream; they may start in the middle of another line. */
export class MarkedLines {
  readonly #mark: Buffer;
  readonly #onLine: (line: string) => void;
  readonly #onText: (bytes: Buffer) => void;
  #pending: Buffer = Buffer.alloc(0);

  /** `onText` receives the other bytes, in order with the lines. */
  constructor(mark: string, onLine: (line: string) => void, onText: (bytes: Buffer) => void) {
    this.#mark = Buffer.from(`${mark} `);
    this.#onLine = onLine;
    this.#onText = onText;
  }

  feed(chunk: Buffer): void {
    let rest = Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const at = rest.indexOf(this.#mark);
      const end = at < 0 ? -1 : rest.indexOf(NEWLINE, at);
      if (end < 0) {
        const isOurs = at >= 0 && rest.length - at < MAX_LINE;
        const passed = isOurs ? at : rest.length - this.#beginnings(rest);
        this.#text(rest.subarray(0, passed));
        this.#pending = rest.subarray(passed);
        return;
      }
      this.#text(rest.subarray(0, at));
      this.#onLine(rest.toString('utf8', at + this.#mark.length, end));
      rest = rest.subarray(end + 1);
    }
  }

  /** Must be called at the end of the stream. */
  end(): void {
    this.#text(this.#pending);
    this.#pending = Buffer.alloc(0);
  }

  #text(bytes: Buffer): void {
    if (bytes.length > 0) this.#onText(bytes);
  }

  /** Returns the number of bytes at the end that a mark may start with. */
  #beginnings(bytes: Buffer): number {
    const longest = Math.min(this.#mark.length - 1, bytes.length);
    for (let length = longest; length > 0; length--) {
      if (this.#mark.subarray(0, length).equals(bytes.subarray(bytes.length - length))) return length;
    }
    return 0;
  }
}
