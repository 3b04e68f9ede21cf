import { selection } from 'd3-selection';
import { changeAttribute } from './change-attribute.ts';
import type { D3Frame } from './slice-to-d3.ts';

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

/** The methods of d3-selection that the extension wraps. */
const own = selection.prototype as unknown as Drawable;
const { append, data } = own;

/**
 * Extends the selections of d3, as d3-transition does, which the page lacks: they neither animate nor listen, add no
 * labels, and give elements only to data that are drawn. Even with duration 0, a transition schedules three timers per
 * frame and paints one frame late, which doubles the time of a zoom. d3-flame-graph's own listeners, three per frame
 * and drawing, would zoom within the old slice before the new one arrives. Elements are reused in order: d3-flame-graph's
 * IDs also count data that are not drawn, so matching by ID would recreate most elements. Nothing else in the page
 * selects with d3; see docs/adr/0029-selections-that-stand-still.md.
 */
export function extendSelections(): void {
  Object.assign(own, {
    transition: immediate,
    on(this: Drawable): Drawable {
      return this;
    },
    attr: attrWhereChanged,
    append(this: Drawable, name: string): Drawable {
      return LABEL_PARTS.has(name) ? this : append.call(this, name);
    },
    data(this: Drawable, nodes: readonly { readonly data: D3Frame }[]): Drawable {
      return data.call(
        this,
        nodes.filter((node) => node.data.isDrawn),
      );
    },
  });
}
