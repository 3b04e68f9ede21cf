import { joinBytes } from '#core/model/join-bytes.ts';
import { MIN_SAMPLES } from './data-quality.ts';

/** The text of a recording's first samples, by which its stacks are examined while it runs. */
export interface FirstText {
  /** Returns the text so far; null if it would show nothing new since the last call. */
  read(): Promise<Uint8Array | null>;
  /** No more text follows. */
  readonly isFull: boolean;
  /** Frees the text, which is no longer needed. */
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

/** The text of a recording that is converted while it runs. */
export class PushedText extends Beginning implements FirstText {
  read(): Promise<Uint8Array | null> {
    return Promise.resolve(this.bytes);
  }
}

/** The text of a recording that is converted afterwards: runs `perf script` whenever the first samples have doubled. */
export class ScriptedText extends Beginning implements FirstText {
  readonly #script: (stream: Uint8Array) => Promise<Uint8Array | null>;
  readonly #countSamples: () => number;
  #wanted = MIN_SAMPLES;

  /** `script` returns null if perf's stream yields no text; `countSamples` counts all samples pushed. */
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
