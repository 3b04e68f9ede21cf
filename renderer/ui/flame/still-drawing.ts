import { selection } from 'd3-selection';
import { changeAttribute } from './change-attribute.ts';

/** What d3-flame-graph calls on a transition, done at once. */
interface Immediate {
  duration(): Immediate;
  delay(): Immediate;
  ease(): Immediate;
  attr(name: string, value: unknown): Immediate;
  text(value: unknown): Immediate;
}

type ValueOf = (this: Element, datum: unknown, place: number, all: ArrayLike<Element>) => unknown;

/** The part of a d3 selection that drawing uses. */
interface Drawable {
  attr: (this: Drawable, name: string, value: unknown) => Drawable;
  text: (this: Drawable, value: unknown) => Drawable;
  append: (this: Drawable, name: string) => Drawable;
  data: (this: Drawable, values: readonly unknown[]) => Drawable;
  each: (visit: (this: Element, datum: unknown, place: number, all: ArrayLike<Element>) => void) => Drawable;
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

/** Of groups: they mean nothing there, or are ours. A place of a group's own is one more coordinate system to paint in. */
const LEFT_OUT_ON_GROUPS: ReadonlySet<string> = new Set(['width', 'height', 'name', 'class', 'transform']);

/** As `selection.attr`, for what changes. */
function attrWhereChanged(this: Drawable, name: string, value: unknown): Drawable {
  return this.each(function (datum, place, all) {
    if (this.localName === 'g' && LEFT_OUT_ON_GROUPS.has(name)) return;
    changeAttribute(
      this,
      name,
      String(typeof value === 'function' ? (value as ValueOf).call(this, datum, place, all) : value),
    );
  });
}

/** Labels are ours, in a canvas: an HTML label within an SVG frame is two elements and a layer of its own to paint. */
const LABEL_PARTS: ReadonlySet<string> = new Set(['foreignObject', 'xhtml:div']);

/**
 * Runs `draw` with d3 selections that neither animate nor listen, and that add no labels. Even at duration 0 a transition schedules
 * three timers per frame and paints a frame late, which doubles the time of a zoom; and d3-flame-graph's own listeners, three per frame
 * and drawing, would zoom within the old slice before the new one is there. All that can be reached through d3-selection's prototype
 * alone, so methods are swapped there while `draw` runs, which is synchronous, and put back. What is not `isDrawn` gets no element, and
 * elements stand for whatever comes next: by d3-flame-graph's ids, which count what is not drawn too, most would be made anew.
 */
export function drawStill(draw: () => void, isDrawn: (datum: unknown) => boolean): void {
  const prototype = selection.prototype as unknown as Drawable & { transition?: unknown; on?: unknown };
  const { transition, on, attr, append, data } = prototype;
  prototype.transition = immediate;
  prototype.on = deaf;
  prototype.attr = attrWhereChanged;
  prototype.append = function (this: Drawable, name: string): Drawable {
    return LABEL_PARTS.has(name) ? this : append.call(this, name);
  };
  prototype.data = function (this: Drawable, values: readonly unknown[]): Drawable {
    return data.call(this, values.filter(isDrawn));
  };
  try {
    draw();
  } finally {
    Object.assign(prototype, { transition, on, attr, append, data });
  }
}
