import { selection } from 'd3-selection';

/** What d3-flame-graph calls on a transition, done at once. */
interface Immediate {
  duration(): Immediate;
  delay(): Immediate;
  ease(): Immediate;
  attr(name: string, value: unknown): Immediate;
  text(value: unknown): Immediate;
}

interface Drawable {
  attr(name: string, value: unknown): unknown;
  text(value: unknown): unknown;
}

function immediate(this: Drawable): Immediate {
  const done: Immediate = {
    duration: () => done,
    delay: () => done,
    ease: () => done,
    attr: (name, value) => {
      this.attr(name, value);
      return done;
    },
    text: (value) => {
      this.text(value);
      return done;
    },
  };
  return done;
}

/**
 * Runs `draw` with d3 transitions that happen at once. Even at duration 0 a transition schedules three timers per frame and paints a
 * frame late, which doubles the time of a zoom. d3-flame-graph reaches transitions only through d3-selection's prototype, so that is
 * swapped while `draw` runs, which is synchronous, and put back.
 */
export function withSynchronousTransitions(draw: () => void): void {
  const prototype = selection.prototype as unknown as { transition?: unknown };
  const original = prototype.transition;
  prototype.transition = immediate;
  try {
    draw();
  } finally {
    prototype.transition = original;
  }
}
