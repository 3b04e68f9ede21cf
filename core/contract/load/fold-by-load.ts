import type { CaptureLoad } from '../schemas.ts';

/** A row of a list: an item, or all items that were recorded during one load test or one experiment under load. */
export interface FoldedByLoad<T> {
  /** That of the first item; null: the row is a single item. */
  readonly load: CaptureLoad | null;
  readonly items: readonly T[];
}

/** Returns the ID and the name of the row of captures of a load test: of its experiment if it has one. */
export const loadRow = ({ test, name, experiment }: CaptureLoad): { readonly id: string; readonly name: string } =>
  experiment ?? { id: test, name };

/** Folds items of the same load test or experiment into one row, at the position of the first; a test's only item stays as it is. */
export function foldByLoad<T>(items: readonly T[], loadOf: (item: T) => CaptureLoad | undefined): FoldedByLoad<T>[] {
  const byTest = Map.groupBy(items, (item) => {
    const load = loadOf(item);
    return load === undefined ? item : loadRow(load).id;
  });
  return [...byTest.values()].map((members) => ({
    load: members.length === 1 ? null : (loadOf(members[0]!) ?? null),
    items: members,
  }));
}
