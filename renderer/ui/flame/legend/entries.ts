import type { SelfWeights } from '#core/analyze/graph/flame-slice.ts';

/** A colour of the legend, with the part of the shown weight that is its own. */
export type LegendEntry = SelfWeights['groups'][number];

/** Returns the entries whose label contains the query, ignoring case. */
export function legendMatches(entries: readonly LegendEntry[], query: string): readonly LegendEntry[] {
  const sought = query.trim().toLowerCase();
  return sought === '' ? entries : entries.filter(({ label }) => label.toLowerCase().includes(sought));
}
