/** Declares the parts of d3-flame-graph 5 that Flamebench uses, taken from its source because it ships no types. */
declare module 'd3-flame-graph' {
  import type { HierarchyRectangularNode } from 'd3-hierarchy';
  import type { Selection } from 'd3-selection';

  /** A laid-out frame. `x0` and `x1` are fractions of the width; `depth` counts rows from the root. */
  export type LaidOutFrame<Datum> = HierarchyRectangularNode<Datum> & { readonly id: number };

  /** Called with the svg on creation. Without a tooltip, the chart adds an SVG `<title>` to each frame. */
  export interface Tooltip {
    (svg: unknown): void;
    show(event: Event, frame: unknown): void;
    hide(): void;
    destroy(): void;
  }

  export interface FlameChart<Datum> {
    /** Draws into the selected element, whose datum is the root. */
    (selection: Selection<HTMLElement, Datum, null, undefined>): void;
    width(px: number): this;
    /** Sets the svg's height; null lets the chart compute it from the depth. */
    height(px: number): this;
    cellHeight(px: number): this;
    /** True places the root at the top. */
    inverted(inverted: boolean): this;
    transitionDuration(ms: number): this;
    tooltip(tooltip: Tooltip): this;
    /** True means that `value` is the self weight, to which the chart adds the children's. */
    selfValue(selfValue: boolean): this;
    sort(sort: boolean): this;
    /** Frames of this width or less, in pixels, take up space but get no elements. */
    minFrameSize(px: number): this;
    /** Sets the text of a frame, used as textContent and as the attribute `name`. */
    getName(name: (frame: LaidOutFrame<Datum>) => string): this;
    setLabelHandler(label: (frame: LaidOutFrame<Datum>) => string): this;
    setColorMapper(colour: (frame: LaidOutFrame<Datum>, original: string) => string): this;
    /** Replaces the data and redraws everything, in O(frames). */
    update(root: Datum): this;
    destroy(): this;
  }

  export default function flamegraph<Datum>(): FlameChart<Datum>;
}
