import type { SideMeasures } from './measures.ts';

/** Applies a change to every row × captures table of a side. */
export function mapTables<T>(tables: T, change: (table: Float64Array) => Float64Array): T {
  if (tables instanceof Float64Array) return change(tables) as T;
  if (typeof tables !== 'object' || tables === null) return tables;
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, mapTables(table, change)])) as T;
}

/** Returns a side with only these captures, in this order. */
export function pickCaptures({ rows, captures, ...tables }: SideMeasures, chosen: readonly number[]): SideMeasures {
  const pickOf = (table: Float64Array): Float64Array =>
    Float64Array.from(
      { length: rows * chosen.length },
      (_, at) => table[Math.floor(at / chosen.length) * captures.length + chosen[at % chosen.length]!]!,
    );
  return { rows, captures: chosen.map((place) => captures[place]!), ...mapTables(tables, pickOf) };
}
