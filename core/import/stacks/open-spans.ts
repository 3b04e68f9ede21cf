import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';

interface OpenSpan {
  readonly frame: FrameIndex;
  readonly stack: StackIndex;
  /** A span within it, or time of its own, has been reported. */
  seen: boolean;
}

/** Adds a frame to a stack, like `ProfileBuilder.stack`. */
type Join = (caller: StackIndex, frame: FrameIndex) => StackIndex;
/** `time` and `duration` are in the unit of the given times. */
type Tell = (stack: StackIndex, time: number, duration: number) => void;

/**
 * Converts nested spans of time to samples: each interval between two changes becomes a sample of the stack that was
 * open. A span without any time becomes a sample of duration 0, so that it is not lost. Intervals without an open span
 * become no sample.
 */
export class OpenSpans {
  readonly #join: Join;
  readonly #tell: Tell;
  readonly #open: OpenSpan[] = [];
  /** Number of open spans by frame, so that frames without one are not searched for. */
  readonly #counts = new Map<FrameIndex, number>();
  #since = 0;

  constructor(join: Join, tell: Tell) {
    this.#join = join;
    this.#tell = tell;
  }

  get depth(): number {
    return this.#open.length;
  }

  /** Frame of the innermost open span. */
  get top(): FrameIndex | undefined {
    return this.#open.at(-1)?.frame;
  }

  /** Returns the number of spans within the innermost open span of this frame; −1 if none is open. */
  within(frame: FrameIndex): number {
    if ((this.#counts.get(frame) ?? 0) === 0) return -1;
    return this.#open.length - 1 - this.#open.findLastIndex((span) => span.frame === frame);
  }

  open(frame: FrameIndex, time: number): void {
    this.#advance(time);
    const caller = this.#open.at(-1);
    if (caller !== undefined) caller.seen = true;
    this.#counts.set(frame, (this.#counts.get(frame) ?? 0) + 1);
    this.#open.push({ frame, stack: this.#join(caller?.stack ?? NO_STACK, frame), seen: false });
  }

  /** Ends the innermost span. */
  close(time: number): void {
    this.#advance(time);
    const span = this.#open.pop();
    if (span !== undefined) this.#counts.set(span.frame, this.#counts.get(span.frame)! - 1);
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
