import { selection } from 'd3-selection';
import { changeAttribute } from './change-attribute.ts';

/** The methods that d3-flame-graph calls on a transition, applied immediately. */
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

/**
 * Attributes not set on groups: they have no effect there, or Flamebench sets them. A transform per group would add a
 * coordinate system to paint.
 */
const LEFT_OUT_ON_GROUPS: ReadonlySet<string> = new Set(['width', 'height', 'name', 'class', 'transform']);

/** Works as `selection.attr` does, but only sets values that change. */
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

/**
 * Elements of labels, which are skipped because Flamebench draws labels in a canvas. An HTML label in an SVG frame
 * costs two elements and a layer of its own.
 */
const LABEL_PARTS: ReadonlySet<string> = new Set(['foreignObject', 'xhtml:div']);

/**
 * Runs `draw` with d3 selections that neither animate nor listen and that add no labels. Even with duration 0, a
 * transition schedules three timers per frame and paints one frame late, which doubles the time of a zoom.
 * d3-flame-graph's own listeners, three per frame and drawing, would zoom within the old slice before the new one
 * arrives. All of this can only be changed through the prototype of d3-selection, so its methods are replaced while
 * `draw` runs synchronously, and then restored. Data for which `isDrawn` is false get no element, and elements are
 * reused in order: d3-flame-graph's IDs also count data that are not drawn, so matching by ID would recreate most
 * elements.
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
