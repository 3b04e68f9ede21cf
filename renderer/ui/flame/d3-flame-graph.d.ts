/** What Flamebench uses of d3-flame-graph 5, which ships no types. Read from its source. */
declare module 'd3-flame-graph' {
  import type { HierarchyRectangularNode } from 'd3-hierarchy';
  import type { Selection } from 'd3-selection';

  /** A laid out frame. `x0`, `x1` are fractions of the width; `depth` counts rows from the root. */
  export type LaidOutFrame<Datum> = HierarchyRectangularNode<Datum> & { readonly id: number };

  /** Called with the svg on creation; the chart adds SVG `<title>`s only where there is no tooltip. */
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
    /** Of the svg. Null again lets the chart size it by depth. */
    height(px: number): this;
    cellHeight(px: number): this;
    /** True: root at the top. */
    inverted(inverted: boolean): this;
    transitionDuration(ms: number): this;
    tooltip(tooltip: Tooltip): this;
    /** True: `value` is self weight, the chart sums up the children. */
    selfValue(selfValue: boolean): this;
    sort(sort: boolean): this;
    /** Frames of this many pixels or fewer take their place and get no elements. */
    minFrameSize(px: number): this;
    /** Text of a frame; set as textContent and as the attribute `name`. */
    getName(name: (frame: LaidOutFrame<Datum>) => string): this;
    setLabelHandler(label: (frame: LaidOutFrame<Datum>) => string): this;
    setColorMapper(colour: (frame: LaidOutFrame<Datum>, original: string) => string): this;
    /** Replaces the data and redraws everything, in O(frames). */
    update(root: Datum): this;
    destroy(): this;
  }

  export default function flamegraph<Datum>(): FlameChart<Datum>;
}
