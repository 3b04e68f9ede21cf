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

function deaf(this: unknown): unknown {
  return this;
}

/**
 * Runs `draw` with d3 selections that neither animate nor listen. Even at duration 0 a transition schedules three timers per frame and
 * paints a frame late, which doubles the time of a zoom; and d3-flame-graph's own listeners, three per frame and drawing, would zoom
 * within the old slice before the new one is there. It reaches both through d3-selection's prototype alone, so `transition` and `on`
 * are swapped there while `draw` runs, which is synchronous, and put back.
 */
export function drawStill(draw: () => void): void {
  const prototype = selection.prototype as unknown as { transition?: unknown; on?: unknown };
  const { transition, on } = prototype;
  prototype.transition = immediate;
  prototype.on = deaf;
  try {
    draw();
  } finally {
    prototype.transition = transition;
    prototype.on = on;
  }
}
