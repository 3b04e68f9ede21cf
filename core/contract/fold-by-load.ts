import type { CaptureLoad } from './schemas.ts';

/** A row of a list: an item, or all items that were recorded during one load test. */
export interface FoldedByLoad<T> {
  /** That of the first item; null: the row is a single item. */
  readonly load: CaptureLoad | null;
  readonly items: readonly T[];
}

/** Folds items of the same load test into one row, at the position of the first; a test's only item stays as it is. */
export function foldByLoad<T>(items: readonly T[], loadOf: (item: T) => CaptureLoad | undefined): FoldedByLoad<T>[] {
  const byTest = Map.groupBy(items, (item) => loadOf(item)?.test ?? item);
  return [...byTest.values()].map((members) => ({
    load: members.length === 1 ? null : (loadOf(members[0]!) ?? null),
    items: members,
  }));
}
