import type { ThreadTimes } from '#core/analyze/time/strip.ts';
import type { ThreadIndex } from '#core/model/brand.ts';

/**
 * Sorts rows, which come by weight. By name, digits in names are compared as numbers, and threads of equal name by ID.
 */
export function inOrder(
  rows: readonly ThreadTimes[],
  order: 'weight' | 'name',
  threads: readonly { readonly name: string; readonly tid: number }[],
): readonly ThreadTimes[] {
  if (order === 'weight') return rows;
  const collator = new Intl.Collator(undefined, { numeric: true });
  return rows.toSorted((a, b) => {
    const [one, other] = [threads[a.thread]!, threads[b.thread]!];
    return collator.compare(one.name, other.name) || one.tid - other.tid || a.thread - b.thread;
  });
}

/** Returns the rows in these places; others come last. */
export function inPlace(rows: readonly ThreadTimes[], places: readonly ThreadIndex[]): readonly ThreadTimes[] {
  const place = new Map(places.map((thread, at) => [thread, at]));
  const placeOf = ({ thread }: ThreadTimes): number => place.get(thread) ?? places.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
