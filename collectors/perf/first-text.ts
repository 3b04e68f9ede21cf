import { joinBytes } from '../target/join-bytes.ts';
import { MIN_SAMPLES } from './data-quality.ts';

/** The text of a recording's first samples, by which its stacks are examined while it runs. */
export interface FirstText {
  /** Returns the text so far, or null if it would say no more than the last time. */
  read(): Promise<Uint8Array | null>;
  /** There will be no more of it. */
  readonly isFull: boolean;
  /** Nobody reads it any more. */
  drop(): void;
}

/** More than a second at the highest rates. Problems that appear later are reported at the end. */
const MAX_BYTES = 8 << 20;

/** Keeps the beginning of what is pushed. */
class Beginning {
  #chunks: Uint8Array[] | null = [];
  #bytes = 0;

  push(chunk: Uint8Array): void {
    if (this.#chunks === null || this.isFull) return;
    this.#chunks.push(chunk.slice());
    this.#bytes += chunk.length;
  }

  get isFull(): boolean {
    return this.#bytes > MAX_BYTES;
  }

  drop(): void {
    this.#chunks = null;
  }

  get bytes(): Uint8Array {
    return joinBytes(this.#chunks ?? []);
  }
}

/** Of a recording whose text comes while it runs. */
export class PushedText extends Beginning implements FirstText {
  read(): Promise<Uint8Array | null> {
    return Promise.resolve(this.bytes);
  }
}

/** Of a recording whose text is made afterwards: `perf script` runs for it, once where the first samples suffice. */
export class ScriptedText extends Beginning implements FirstText {
  readonly #script: (stream: Uint8Array) => Promise<Uint8Array | null>;
  readonly #countSamples: () => number;
  #wanted = MIN_SAMPLES;

  /** `script` returns null if there is no text of perf's stream; `countSamples` is of all that was pushed. */
  constructor(script: (stream: Uint8Array) => Promise<Uint8Array | null>, countSamples: () => number) {
    super();
    this.#script = script;
    this.#countSamples = countSamples;
  }

  async read(): Promise<Uint8Array | null> {
    const samples = this.#countSamples();
    if (samples < this.#wanted) return null;
    this.#wanted = samples * 2;
    return this.#script(this.bytes);
  }
}
