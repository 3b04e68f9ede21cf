import { ImportFailure } from '../../model/failure.ts';

/** Receives bytes in order, then the end. Keeps nothing of a chunk after `push` returns unless it copies it. */
export interface ByteSink {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Unwrapped bytes that are accepted at any ratio; a bomb of this size does no harm. */
const FREE_BYTES = 64 * 2 ** 20;
/**
 * Maximum unwrapped bytes per source byte beyond {@link FREE_BYTES}. Deflate can't exceed 1,032; the most repetitive
 * perf script text in our tests (one stack, only times differ) stays below 120.
 */
const MAX_RATIO = 500;
/** No profiler writes more into one file, and no importer's tables would fit. */
const MAX_BYTES = 64 * 2 ** 30;

/** Counts the input and the output of all wrappings of one input, and rejects bombs. */
export class UnwrapMeter {
  /** Bytes of the source that unwrapping has started to read. */
  sourceBytes = 0;

  /** `outputBytes` is the output of one stage so far. */
  check(outputBytes: number): void {
    if (outputBytes <= FREE_BYTES) return;
    const ratio = outputBytes / Math.max(1, this.sourceBytes);
    if (ratio <= MAX_RATIO && outputBytes <= MAX_BYTES) return;
    const times = ratio > MAX_RATIO ? `more than ${MAX_RATIO} times its size` : `more than ${MAX_BYTES / 2 ** 30} GiB`;
    throw new ImportFailure(
      'too-large',
      `the compressed input unpacks to ${times}, which no profile does; if it is a profile, unpack it first and open the result`,
    );
  }
}
