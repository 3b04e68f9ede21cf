/** Text is encoded and written whenever this many UTF-16 units have accumulated. */
const CHUNK_UNITS = 64 * 1024;

/** Writes JSON piece by piece, without ever holding the whole text. */
export class JsonText {
  readonly #write: (chunk: Uint8Array) => void;
  readonly #encoder = new TextEncoder();
  #text = '';

  constructor(write: (chunk: Uint8Array) => void) {
    this.#write = write;
  }

  put(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK_UNITS) this.flush();
  }

  key(quoted: string): void {
    this.put(`${quoted}:`);
  }

  flush(): void {
    if (this.#text !== '') this.#write(this.#encoder.encode(this.#text));
    this.#text = '';
  }

  array<T>(values: ArrayLike<T>, toText: (value: T, row: number) => string): void {
    this.put('[');
    for (let row = 0; row < values.length; row++) this.put((row === 0 ? '' : ',') + toText(values[row]!, row));
    this.put(']');
  }
}
