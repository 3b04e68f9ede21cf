import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';

/** IDs of the library's captures that were chosen for a comparison. */
export interface TrayCaptures {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export const EMPTY_TRAY: TrayCaptures = { before: [], after: [] };

export const isEmptyTray = ({ before, after }: TrayCaptures): boolean => before.length + after.length === 0;

export const sideIn = ({ before, after }: TrayCaptures, id: string): Side | null =>
  before.includes(id) ? 'before' : after.includes(id) ? 'after' : null;

/** Adds captures to one side and removes them from the other. */
export function addToTray(tray: TrayCaptures, side: Side, ids: readonly string[]): TrayCaptures {
  const { before, after } = takeOutOfTray(tray, ids);
  return side === 'before' ? { before: [...before, ...ids], after } : { before, after: [...after, ...ids] };
}

export function takeOutOfTray({ before, after }: TrayCaptures, ids: readonly string[]): TrayCaptures {
  const others = (side: readonly string[]): string[] => side.filter((id) => !ids.includes(id));
  return { before: others(before), after: others(after) };
}

export const swapTray = ({ before, after }: TrayCaptures): TrayCaptures => ({ before: after, after: before });

/**
 * Adds captures without a given side, or removes them if they are all in the tray. Runs of one series go to one side,
 * and the earliest recording goes to *before*. `captures` are those of the library.
 */
export function toggleInTray(
  tray: TrayCaptures,
  picked: readonly CaptureDocument[],
  captures: readonly CaptureDocument[],
): TrayCaptures {
  const ids = picked.map(({ id }) => id);
  if (ids.every((id) => sideIn(tray, id) !== null)) return takeOutOfTray(tray, ids);
  const find = (id: string): CaptureDocument | undefined => captures.find((capture) => capture.id === id);
  const siblings = picked[0]?.series?.id;
  const ofSeries = (side: readonly string[]): boolean =>
    siblings !== undefined && side.some((id) => find(id)?.series?.id === siblings);
  if (ofSeries(tray.before)) return addToTray(tray, 'before', ids);
  if (ofSeries(tray.after)) return addToTray(tray, 'after', ids);
  if (tray.before.length === 0) return addToTray(tray, 'before', ids);
  const added = addToTray(tray, 'after', ids);
  // The second capture may be older than the first.
  const [first, second] = [find(tray.before[0]!), picked[0]];
  const isOlder = first !== undefined && second !== undefined && timeOf(second) < timeOf(first);
  return tray.after.length === 0 && isOlder ? swapTray(added) : added;
}

const timeOf = ({ startedAt, createdAt }: CaptureDocument): number => startedAt ?? createdAt;

/** Returns two captures ordered by time. */
export function inTime<T extends CaptureDocument>(one: T, other: T): [before: T, after: T] {
  return timeOf(other) < timeOf(one) ? [other, one] : [one, other];
}
