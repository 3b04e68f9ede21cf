import type { FrameIndex, ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import type { TextLine } from '../text/text-lines.ts';
import { INEXACT_WEIGHT, UNCOUNTED_STACK } from '../common-diagnostics.ts';

/** Stacks as tracers print them: one frame per line, leaf first, then a line with the stack's count. */
export class CountedStacks {
  readonly #builder: ProfileBuilder;
  /** Frames of the current stack, leaf first. */
  #frames: FrameIndex[] = [];
  #line = 0;

  constructor(builder: ProfileBuilder) {
    this.#builder = builder;
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  /** Adds the next caller; `line` is its line number. */
  frame(frame: FrameIndex, line: number): void {
    if (this.isEmpty) this.#line = line;
    this.#frames.push(frame);
  }

  /** Ends the stack with a sample of `digits`. Throws `ImportFailure` if that exceeds the range of numbers. */
  count(digits: string, thread: ThreadIndex, { number: line }: TextLine): void {
    const { atLine: note } = this.#builder.diagnostics;
    if (this.isEmpty) return note('skipped-line', 'Counts without a stack were skipped.', line);
    const weight = Number(digits);
    if (Math.abs(weight) > Number.MAX_SAFE_INTEGER) note(...INEXACT_WEIGHT, line);
    if (!Number.isFinite(weight)) throw malformed('a count that is too large', line);
    this.#builder.sample({ stack: this.#builder.stackOf(this.#frames), thread }, weight);
    this.#frames = [];
  }

  /**
   * Must be called after the last line. `remedy` applies if the input ends within a stack. Throws `ImportFailure` with
   * `message` if there was no stack.
   */
  finish(message: string, lines: number, remedy: string): void {
    const { diagnostics, sampleCount } = this.#builder;
    if (!this.isEmpty) {
      diagnostics.add(...UNCOUNTED_STACK, {
        first: { line: this.#line },
        remedy,
      });
    }
    if (sampleCount === 0) throw malformed(message, Math.max(1, lines));
  }
}
