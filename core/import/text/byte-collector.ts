import { tooLarge } from '../../model/failure.ts';
import { joinBytes } from '../../model/join-bytes.ts';
import type { Profile } from '../../model/profile.ts';
import type { ImportSession } from '../importer.ts';

/**
 * All supported engines allocate typed arrays of up to 4 GiB, and a larger profile would not fit into memory anyway.
 */
const MAX_BYTES = 2 ** 32 - 1;

/** Maximum length that is preallocated on the input's own statement. */
const MAX_EXPECTED_BYTES = 2 ** 26;

/** Collects a whole input, for formats whose parts refer to later parts. */
export class ByteCollector {
  readonly #what: string;
  readonly #maxBytes: number;
  /** Holds the input as long as it is not longer than expected. */
  #whole = new Uint8Array(0);
  /** Bytes that did not fit into `#whole`. */
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** `what` names the input in the message of `too-large`. */
  constructor(what: string, maxBytes = MAX_BYTES) {
    this.#what = what;
    this.#maxBytes = maxBytes;
  }

  /** Must be called before the first `push`; an input of this length is then copied once instead of twice. */
  expect(bytes: number): void {
    if (bytes <= MAX_EXPECTED_BYTES) this.#whole = new Uint8Array(bytes);
  }

  push(chunk: Uint8Array): void {
    const at = this.#length;
    this.#length += chunk.length;
    if (this.#length > this.#maxBytes) {
      const limit = Math.round(this.#maxBytes / 2 ** 20);
      throw tooLarge(`${this.#what} of more than ${limit} MiB; record for a shorter time`);
    }
    if (this.#length <= this.#whole.length) this.#whole.set(chunk, at);
    else this.#chunks.push(chunk.slice());
  }

  /** Returns the bytes as one array, aligned to 8. The collector is empty afterwards. */
  finish(): Uint8Array {
    const whole = this.#whole;
    const held = this.#length - this.#chunks.reduce((sum, { length }) => sum + length, 0);
    const bytes = this.#length === whole.length ? whole : joinBytes([whole.subarray(0, held), ...this.#chunks]);
    this.#whole = new Uint8Array(0);
    this.#chunks = [];
    this.#length = 0;
    return bytes;
  }
}

/** Returns the session that builds a profile from a whole input; `what` and `maxBytes` are the collector's. */
export function wholeSession(what: string, build: (bytes: Uint8Array) => Profile, maxBytes?: number): ImportSession {
  const bytes = new ByteCollector(what, maxBytes);
  return { push: (chunk) => bytes.push(chunk), finish: () => build(bytes.finish()) };
}
