import type { CaptureDocument } from '#core/contract/schemas.ts';
import { groupCaptures } from './group-captures.ts';
import { inTime } from './compare-tray.ts';

/** Captures of the library that are selected for an action on all of them. */
export interface LibrarySelection {
  readonly ids: readonly string[];
  /** The captures of the row that was last clicked, where a range starts; null if none was. */
  readonly anchor: readonly string[] | null;
  /** Those of `ids` that the last range added; the next range from the same anchor replaces them. */
  readonly range: readonly string[];
}

export const NO_SELECTION: LibrarySelection = { ids: [], anchor: null, range: [] };

/** Adds the captures of a row, or removes them if all are selected. */
export function toggleSelected({ ids }: LibrarySelection, row: readonly string[]): LibrarySelection {
  const others = ids.filter((id) => !row.includes(id));
  const isWhole = others.length === ids.length - row.length;
  return { ids: isWhole ? others : [...others, ...row], anchor: row, range: [] };
}

/**
 * Selects the rows from the anchor to `row`, both included, instead of the previous range; `rows` are those on screen,
 * in their order. Between them, the row of an open series stands for none of its runs, which have rows of their own.
 */
export function selectRange(
  { ids, anchor, range }: LibrarySelection,
  rows: readonly (readonly string[])[],
  row: readonly string[],
): LibrarySelection {
  const to = placeOf(rows, row);
  const from = anchor === null ? -1 : placeOf(rows, anchor);
  const between = to < 0 || from < 0 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const alone = new Set(rows.flatMap((one) => (one.length === 1 ? one : [])));
  const isOpen = (one: readonly string[]): boolean => one.length > 1 && one.every((id) => alone.has(id));
  const chosen = between.filter((one, at) => at === 0 || at === between.length - 1 || !isOpen(one));
  const others = ids.filter((id) => !range.includes(id));
  const added = [...new Set(chosen.flat())].filter((id) => !others.includes(id));
  return { ids: [...others, ...added], anchor: anchor ?? row, range: added };
}

const placeOf = (rows: readonly (readonly string[])[], row: readonly string[]): number =>
  rows.findIndex((one) => one.join() === row.join());

/**
 * Returns the two sides that selected captures form: two captures, or the runs of two series, the earlier one as
 * *before*; null for any other number.
 */
export function sidesOf(
  captures: readonly CaptureDocument[],
): readonly [before: readonly CaptureDocument[], after: readonly CaptureDocument[]] | null {
  const groups =
    captures.length === 2 ? captures.map((one) => [one]) : groupCaptures(captures).map((one) => one.captures);
  const [one, other, ...more] = groups;
  if (one === undefined || other === undefined || more.length > 0) return null;
  if (one[0]!.series?.side === 'after' && other[0]!.series?.side === 'before') return [other, one];
  const [first] = inTime(one[0]!, other[0]!);
  return first === one[0] ? [one, other] : [other, one];
}

/** Returns the tags that all captures have. */
export function sharedTags(captures: readonly CaptureDocument[]): string[] {
  const [first, ...others] = captures;
  return (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
}

/** Returns a capture's tags after those shared with others were changed to `next`; its own stay. */
export function retagged(tags: readonly string[], shared: readonly string[], next: readonly string[]): string[] {
  return [...new Set([...tags.filter((tag) => !shared.includes(tag)), ...next])];
}
