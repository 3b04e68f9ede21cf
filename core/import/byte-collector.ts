import { ImportFailure } from '../model/failure.ts';

/** Typed arrays of 4 GiB are the most that all engines of ours allocate, and such a profile would not fit anyway. */
const MAX_BYTES = 2 ** 32 - 1;

/** Collects a whole input, for formats whose parts refer to later parts. */
export class ByteCollector {
  readonly #what: string;
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** `what`: names the input in the message of `too-large`. */
  constructor(what: string, maxBytes = MAX_BYTES) {
    this.#what = what;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > this.#maxBytes) {
      const limit = Math.round(this.#maxBytes / 2 ** 20);
      throw new ImportFailure('too-large', `${this.#what} of more than ${limit} MiB; record for a shorter time`);
    }
    this.#chunks.push(chunk.slice());
  }

  /** The bytes as one array, aligned to 8. The collector is empty afterwards. */
  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [];
    this.#length = 0;
    return bytes;
  }
}
