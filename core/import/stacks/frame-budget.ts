import { tooLarge } from '../../model/failure.ts';

/**
 * Bound on the frames of all stacks of a file together, before equal ones are merged: a fixed number plus a number per
 * byte.
 */
const FREE_FRAMES = 2 ** 22;
const FRAMES_PER_BYTE = 16;

/**
 * Bounds how far a file's stacks may expand, for formats in which a few bytes can repeat many frames: inlined functions
 * of a location, nested arrays. Profilers' own files have fewer than ten frames per byte.
 */
export class FrameBudget {
  readonly #remedy: string;
  #left: number;

  /** `remedy` completes the message for a file beyond the bound. */
  constructor(bytes: number, remedy: string) {
    this.#left = FREE_FRAMES + FRAMES_PER_BYTE * bytes;
    this.#remedy = remedy;
  }

  /** Throws `ImportFailure` if the file exceeds its bound. */
  take(frames: number): void {
    this.#left -= frames;
    if (this.#left >= 0) return;
    throw tooLarge(
      `stacks of more than ${FREE_FRAMES.toLocaleString('en')} frames and ${FRAMES_PER_BYTE} per byte; ${this.#remedy}`,
    );
  }
}
