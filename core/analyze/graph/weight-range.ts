/** A part of the zoomed root: a half-open range of weights from its left edge, in the value type's unit. */
export interface WeightRange {
  readonly first: number;
  readonly last: number;
}

/** Smallest share of the root that can fill the width. Below it, sums of 53-bit weights are off by whole pixels. */
const MIN_SHARE = 1e-8;
/** A range with a larger share than this counts as the whole. */
const WHOLE_SHARE = 1 - 1e-6;

const FILLS_VIEW = 0.8;
/**
 * Enlarges frames that are just too narrow to draw (2 px) enough to draw them, while all of them still fit within the
 * drawn part (the view and its margins).
 */
const FILLER_ZOOM = 24;

/** Returns the range; null stands for the whole root. */
export function rangeOf(range: WeightRange | null, total: number): WeightRange {
  return range ?? { first: 0, last: total };
}

/** Moves the range into the root and limits its span; returns null for the whole root. */
export function fitRange(range: WeightRange, total: number): WeightRange | null {
  const span = Math.max(range.last - range.first, total * MIN_SHARE);
  if (!(span < total * WHOLE_SHARE)) return null;
  const first = Math.min(Math.max(0, range.first), total - span);
  return { first, last: first + span };
}

/** Zooms by `factor` (above 1 zooms in) around `share` of the width (0 to 1), which stays in place. */
export function zoomRange(range: WeightRange, total: number, share: number, factor: number): WeightRange | null {
  const before = range.last - range.first;
  const span = Math.min(total, Math.max(before / factor, total * MIN_SHARE));
  const first = range.first + share * (before - span);
  return fitRange({ first, last: first + span }, total);
}

/** Pans to the right by `share` of the width. */
export function panRange(range: WeightRange, total: number, share: number): WeightRange | null {
  const by = share * (range.last - range.first);
  return fitRange({ first: range.first + by, last: range.last + by }, total);
}

/** The part of the root that is drawn for a view. It exceeds the view, so that panning shows frames at once. */
export interface DrawnPart {
  readonly range: WeightRange;
  /**
   * Width of the whole drawing and the part of it left of the view. Both margins are whole pixels; otherwise text would
   * blur.
   */
  readonly widthPx: number;
  readonly leftPx: number;
}

/** Margin drawn beyond either edge of the view, as a share of its width. */
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

/**
 * Moves the range just enough to show `part` with some of its neighbours; returns the same object if it is already in
 * view.
 */
export function revealRange(range: WeightRange, total: number, part: WeightRange): WeightRange | null {
  const span = range.last - range.first;
  if (part.last > range.first && part.first < range.last) return range;
  const centre = part.last - part.first >= span ? part.first + span / 3 : (part.first + part.last) / 2;
  return fitRange({ first: centre - span / 2, last: centre + span / 2 }, total);
}

/**
 * Returns the range that shows the frames hidden in a filler: the filler's own range, unless it already fills most of
 * the view. Then its frames are at most a thousandth of the view, and the view zooms in around `share` of the width.
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
