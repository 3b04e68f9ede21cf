import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';

interface OpenSpan {
  readonly frame: FrameIndex;
  readonly stack: StackIndex;
  /** A span within it, or time of its own, has been told of. */
  seen: boolean;
}

/** Joins a frame to a stack, as `ProfileBuilder.stack`. */
type Join = (caller: StackIndex, frame: FrameIndex) => StackIndex;
/** `time`, `duration`: in the unit of the times given. */
type Tell = (stack: StackIndex, time: number, duration: number) => void;

/**
 * Spans of time that begin and end, one within the other, as samples: each stretch between two changes is one, of the stack that was open.
 * A span without any time is a sample of duration 0, so that it is not lost. Time in which nothing is open is none.
 */
export class OpenSpans {
  readonly #join: Join;
  readonly #tell: Tell;
  readonly #open: OpenSpan[] = [];
  #since = 0;

  constructor(join: Join, tell: Tell) {
    this.#join = join;
    this.#tell = tell;
  }

  get depth(): number {
    return this.#open.length;
  }

  /** The innermost open span's. */
  get top(): FrameIndex | undefined {
    return this.#open.at(-1)?.frame;
  }

  /** How many spans are within the innermost open one of this frame; −1 where none is open. */
  within(frame: FrameIndex): number {
    const place = this.#open.findLastIndex((span) => span.frame === frame);
    return place < 0 ? -1 : this.#open.length - 1 - place;
  }

  open(frame: FrameIndex, time: number): void {
    this.#advance(time);
    const caller = this.#open.at(-1);
    if (caller !== undefined) caller.seen = true;
    this.#open.push({ frame, stack: this.#join(caller?.stack ?? NO_STACK, frame), seen: false });
  }

  /** Ends the innermost one. */
  close(time: number): void {
    this.#advance(time);
    const span = this.#open.pop();
    if (span?.seen === false) this.#tell(span.stack, time, 0);
  }

  #advance(time: number): void {
    const span = this.#open.at(-1);
    if (span !== undefined && time > this.#since) {
      span.seen = true;
      this.#tell(span.stack, this.#since, time - this.#since);
    }
    this.#since = time;
  }
}
