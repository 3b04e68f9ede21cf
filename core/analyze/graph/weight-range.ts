/** A part of the zoomed root: weights from its left edge, half-open, in the value type's unit. */
export interface WeightRange {
  readonly first: number;
  readonly last: number;
}

/** Share of the root that can fill the width. Below it, sums of 53-bit weights lose whole pixels. */
const MIN_SHARE = 1e-8;
/** Nearer to the whole than this is the whole. */
const WHOLE_SHARE = 1 - 1e-6;

const FILLS_VIEW = 0.8;
/** Frames just too narrow to draw (2 px) become wide enough that all of them, and the margins, are within what is drawn at once. */
const FILLER_ZOOM = 24;

/** Null stands for the whole root. */
export function rangeOf(range: WeightRange | null, total: number): WeightRange {
  return range ?? { first: 0, last: total };
}

/** Moved and cut to the root; null where it is all of it. */
export function fitRange(range: WeightRange, total: number): WeightRange | null {
  const span = Math.max(range.last - range.first, total * MIN_SHARE);
  if (!(span < total * WHOLE_SHARE)) return null;
  const first = Math.min(Math.max(0, range.first), total - span);
  return { first, last: first + span };
}

/** `factor` above 1 zooms in. What lies at `share` of the width (0 … 1) stays there. */
export function zoomRange(range: WeightRange, total: number, share: number, factor: number): WeightRange | null {
  const before = range.last - range.first;
  const span = Math.min(total, Math.max(before / factor, total * MIN_SHARE));
  const first = range.first + share * (before - span);
  return fitRange({ first, last: first + span }, total);
}

/** `share` of the width to the right. */
export function panRange(range: WeightRange, total: number, share: number): WeightRange | null {
  const by = share * (range.last - range.first);
  return fitRange({ first: range.first + by, last: range.last + by }, total);
}

/** What is drawn for a view: more than fills it, so that a pan shows frames at once. */
export interface DrawnPart {
  readonly range: WeightRange;
  /** Of the whole drawing; `leftPx` of it lie left of the view. Both whole pixels beyond the view, or text would blur. */
  readonly widthPx: number;
  readonly leftPx: number;
}

/** Drawn beyond either edge of the view, as a share of its width. */
const MARGIN_SHARE = 0.25;

export function partToDraw(view: WeightRange | null, total: number, viewPx: number): DrawnPart {
  if (view === null) return { range: { first: 0, last: total }, widthPx: viewPx, leftPx: 0 };
  const pxPerWeight = viewPx / (view.last - view.first);
  const marginPx = (room: number) => Math.floor(Math.min(viewPx * MARGIN_SHARE, Math.max(0, room) * pxPerWeight));
  const leftPx = marginPx(view.first);
  const rightPx = marginPx(total - view.last);
  const range = { first: view.first - leftPx / pxPerWeight, last: view.last + rightPx / pxPerWeight };
  return { range, widthPx: viewPx + leftPx + rightPx, leftPx };
}

/** Moved as little as shows `part`, with some of its neighbours; the same object where it is in view already. */
export function revealRange(range: WeightRange, total: number, part: WeightRange): WeightRange | null {
  const span = range.last - range.first;
  if (part.last > range.first && part.first < range.last) return range;
  const centre = part.last - part.first >= span ? part.first + span / 3 : (part.first + part.last) / 2;
  return fitRange({ first: centre - span / 2, last: centre + span / 2 }, total);
}

/**
 * Where the frames that a filler hides can be seen: its own width, unless that is what is in view already. Then its frames are a
 * thousandth of the view or less, and the view goes nearer about `share` of the width.
 */
export function rangeOfFiller(
  filler: WeightRange,
  view: WeightRange,
  total: number,
  share: number,
): WeightRange | null {
  const first = Math.max(filler.first, view.first);
  const last = Math.min(filler.last, view.last);
  if (last - first < FILLS_VIEW * (view.last - view.first)) return fitRange(filler, total);
  return zoomRange(view, total, share, FILLER_ZOOM);
}

export function sameRange(a: WeightRange | null, b: WeightRange | null): boolean {
  return a === b || (a !== null && b !== null && a.first === b.first && a.last === b.last);
}
