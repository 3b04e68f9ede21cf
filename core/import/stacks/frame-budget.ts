import { ImportFailure } from '../../model/failure.ts';

/** Frames of all stacks of a file together, before equal ones are joined: so many, and so many more per byte. */
const FREE_FRAMES = 2 ** 22;
const FRAMES_PER_BYTE = 16;

/**
 * Bounds what a file's stacks may unfold to, for formats where a few bytes name many frames again: inlined functions of a location, arrays
 * within arrays. Profilers' own files stay below ten frames per byte.
 */
export class FrameBudget {
  readonly #remedy: string;
  #left: number;

  /** `remedy`: what to do about a file beyond the bound, for the message. */
  constructor(bytes: number, remedy: string) {
    this.#left = FREE_FRAMES + FRAMES_PER_BYTE * bytes;
    this.#remedy = remedy;
  }

  /** Throws `ImportFailure` where there are more than the file may have. */
  take(frames: number): void {
    this.#left -= frames;
    if (this.#left >= 0) return;
    throw new ImportFailure(
      'too-large',
      `stacks of more than ${FREE_FRAMES.toLocaleString('en')} frames and ${FRAMES_PER_BYTE} per byte; ${this.#remedy}`,
    );
  }
}
