import { tooLarge } from '../../model/failure.ts';

/** Receives bytes in order, then the end. Keeps nothing of a chunk after `push` returns unless it copies it. */
export interface ByteSink {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Unpacked bytes that are accepted at any ratio; a bomb of this size does no harm. */
const FREE_BYTES = 64 * 2 ** 20;
/**
 * Maximum unpacked bytes per packed byte beyond {@link FREE_BYTES}. Deflate can't exceed 1,032; the most repetitive
 * perf script text in our tests (one stack, only times differ) stays below 120.
 */
const MAX_RATIO = 500;
/** Of what is read as it is unpacked. No profiler writes more into one file, and no importer's tables would fit. */
const MAX_STREAMED_BYTES = 64 * 2 ** 30;
/** Of what is kept in memory. Instruments' time profile of 10 minutes on 8 CPUs has 160 MB. */
export const MAX_KEPT_BYTES = 512 * 2 ** 20;

interface Unpacking {
  /** Names the input in messages. */
  readonly what: string;
  /** Ends the messages; empty: none. */
  readonly remedy: string;
  readonly maxBytes: number;
}

/**
 * Counts the packed and the unpacked bytes of one input, with all that is packed in it, and rejects bombs. Every
 * unpacking of the product counts here: at most 500 times the packed bytes beyond 64 MiB, and `maxBytes`.
 */
export class UnwrapMeter {
  /** Bytes of the source that unpacking has started to read. */
  sourceBytes = 0;
  readonly #unpacking: Unpacking;
  #taken = 0;

  constructor(unpacking: Partial<Unpacking> = {}) {
    this.#unpacking = {
      what: 'the compressed input',
      remedy: ', which no profile does; if it is a profile, unpack it first and open the result',
      maxBytes: MAX_STREAMED_BYTES,
      ...unpacking,
    };
  }

  /** Adds to the output of the parts that are unpacked one after the other. Throws as {@link check}. */
  take(bytes: number): void {
    this.#taken += bytes;
    this.check(this.#taken);
  }

  /** `outputBytes` is the output of one stage so far. Throws `ImportFailure` with the limit's number. */
  check(outputBytes: number): void {
    const { what, remedy, maxBytes } = this.#unpacking;
    if (outputBytes > maxBytes) throw tooLarge(`${what} unpacks to more than ${binaryText(maxBytes)}${remedy}`);
    if (outputBytes <= FREE_BYTES || outputBytes <= MAX_RATIO * this.sourceBytes) return;
    throw tooLarge(`${what} unpacks to more than ${MAX_RATIO} times its size${remedy}`);
  }
}

const binaryText = (bytes: number): string => (bytes < 2 ** 30 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 30} GiB`);
