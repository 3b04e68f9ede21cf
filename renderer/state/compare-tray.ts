import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { SideName } from '../analysis/comparison/protocol.ts';

/** Captures of the library that were picked to be compared, by id. */
export interface CompareTray {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export const EMPTY_TRAY: CompareTray = { before: [], after: [] };

export const isEmptyTray = ({ before, after }: CompareTray): boolean => before.length + after.length === 0;

export const sideIn = ({ before, after }: CompareTray, id: string): SideName | null =>
  before.includes(id) ? 'before' : after.includes(id) ? 'after' : null;

/** With captures on a side, and on no other. */
export function putInTray(tray: CompareTray, side: SideName, ids: readonly string[]): CompareTray {
  const { before, after } = takeOutOfTray(tray, ids);
  return side === 'before' ? { before: [...before, ...ids], after } : { before, after: [...after, ...ids] };
}

export function takeOutOfTray({ before, after }: CompareTray, ids: readonly string[]): CompareTray {
  const others = (side: readonly string[]): string[] => side.filter((id) => !ids.includes(id));
  return { before: others(before), after: others(after) };
}

export const swapTray = ({ before, after }: CompareTray): CompareTray => ({ before: after, after: before });

/**
 * Captures that were picked without a side, or taken out again: runs of one series belong together, and what was recorded first is before.
 * `captures`: those of the library.
 */
export function toggleInTray(
  tray: CompareTray,
  picked: readonly CaptureDocument[],
  captures: readonly CaptureDocument[],
): CompareTray {
  const ids = picked.map(({ id }) => id);
  if (ids.every((id) => sideIn(tray, id) !== null)) return takeOutOfTray(tray, ids);
  const find = (id: string): CaptureDocument | undefined => captures.find((capture) => capture.id === id);
  const siblings = picked[0]?.series?.id;
  const ofSeries = (side: readonly string[]): boolean =>
    siblings !== undefined && side.some((id) => find(id)?.series?.id === siblings);
  if (ofSeries(tray.before)) return putInTray(tray, 'before', ids);
  if (ofSeries(tray.after)) return putInTray(tray, 'after', ids);
  if (tray.before.length === 0) return putInTray(tray, 'before', ids);
  const added = putInTray(tray, 'after', ids);
  // The second of two may be the older one.
  const [first, second] = [find(tray.before[0]!), picked[0]];
  const isOlder = first !== undefined && second !== undefined && timeOf(second) < timeOf(first);
  return tray.after.length === 0 && isOlder ? swapTray(added) : added;
}

const timeOf = ({ startedAt, createdAt }: CaptureDocument): number => startedAt ?? createdAt;

/** Two captures in the order of their time. */
export function inTime<T extends CaptureDocument>(one: T, other: T): [before: T, after: T] {
  return timeOf(other) < timeOf(one) ? [other, one] : [one, other];
}
