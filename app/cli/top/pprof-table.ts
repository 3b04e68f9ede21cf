import { compareText } from '#core/analyze/compare-text.ts';
import type { CallEdge, GraphNode } from '#core/analyze/tables/call-graph.ts';
import type { Profile } from '#core/model/profile.ts';
import { pprofShare, pprofTableUnit, pprofValue } from '#core/units/pprof-format.ts';
import { fitTable } from '../output/fit-table.ts';
import { functionTitle } from '../output/function-title.ts';

/** The columns of pprof's tables, with the order in which they leave a narrow one. */
const COLUMNS = [
  { title: 'flat'.padStart(10) },
  { title: 'flat%'.padStart(6), leaves: 4 },
  { title: 'sum%'.padStart(6), leaves: 1 },
  { title: 'cum'.padStart(10), leaves: 3 },
  { title: 'cum%'.padStart(6), leaves: 2 },
] as const;

export const TABLE_TITLES = COLUMNS.map(({ title }) => title).join(' ');

/** Formats weights of one value type as pprof does. */
export interface PprofCells {
  weight(weight: number): string;
  /** Returns the share of everything, or of `total`. */
  share(weight: number, total?: number): string;
  /** Returns `flat flat% sum% cum cum%`; `sum` is that of the rows up to this one. */
  columns(row: Weighed, sum: number): string;
  /** Returns the titles and a line per function, within `width`; `title` has the width that is left for it. */
  table(rows: readonly (Weighed & { readonly title: (width: number) => string })[], width: number): string[];
}

interface Weighed {
  readonly self: number;
  readonly total: number;
}

/**
 * Creates the formats. `tableUnit` uses one unit for all weights, as in tables; otherwise each has the unit that fits
 * it.
 */
export function pprofCells(rows: readonly Weighed[], whole: number, unit: string, tableUnit = true): PprofCells {
  const sizes = rows.map(({ self, total }) => Math.abs(self === 0 ? total : self)).filter((size) => size > 0);
  const smallest = sizes.reduce((least, size) => Math.min(least, size), sizes[0] ?? 0);
  const shown = tableUnit && rows.length > 0 ? pprofTableUnit(smallest, whole, unit) : 'auto';
  const weight = (value: number): string => pprofValue(value, unit, shown);
  const share = (value: number, total = whole): string => pprofShare(value, total);
  const cellsOf = ({ self, total }: Weighed, sum: number): string[] => [
    weight(self).padStart(10),
    share(self),
    share(sum),
    weight(total).padStart(10),
    share(total),
  ];
  return {
    weight,
    share,
    columns: (row, sum) => cellsOf(row, sum).join(' '),
    table(functions, width) {
      let sum = 0;
      const lines = functions.map((row) => cellsOf(row, (sum += row.self)));
      // A blank before the name makes its gap two columns wide.
      const shorten = (row: number, room: number): string => ` ${functions[row]!.title(room - 1)}`;
      const names = { title: '', cells: functions.map((_, row) => shorten(row, Infinity)), shorten };
      const columns = COLUMNS.map((column, place) => ({
        ...column,
        cells: lines.map((cells) => cells[place]!),
        width: column.title.length,
      }));
      return fitTable([...columns, names], width, ' ');
    },
  };
}

/** Returns the `count` heaviest in any order, with all that weigh as much as the last of them. */
export function heaviest<N extends Weighed>(nodes: readonly N[], by: 'self' | 'total', count: number): readonly N[] {
  if (count >= nodes.length) return nodes;
  const weights = Float64Array.from(nodes, (node) => Math.abs(node[by])).sort();
  const least = weights[weights.length - count]!;
  return nodes.filter((node) => Math.abs(node[by]) >= least);
}

/** Sorts by weight, heaviest first, then by name, as pprof does. */
export function sortNodes<N extends Weighed>(
  nodes: readonly N[],
  by: 'self' | 'total',
  nameOf: (node: N) => string,
): N[] {
  const other = by === 'self' ? 'total' : 'self';
  return nodes
    .map((node) => ({ node, name: nameOf(node) }))
    .sort(
      (a, b) =>
        Math.abs(b.node[by]) - Math.abs(a.node[by]) ||
        compareText(a.name, b.name) ||
        Math.abs(b.node[other]) - Math.abs(a.node[other]),
    )
    .map(({ node }) => node);
}

export const sortEdges = (edges: readonly CallEdge[], nameOf: (edge: CallEdge) => string): CallEdge[] =>
  [...edges].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || compareText(nameOf(a), nameOf(b)));

/** Returns whether a function was inlined into its callers: in all calls, in some, or in none. */
export function inlineMark({ callers }: GraphNode): '' | '(inline)' | '(partial-inline)' {
  if (!callers.some(({ inline }) => inline)) return '';
  return callers.every(({ inline }) => inline) ? '(inline)' : '(partial-inline)';
}

/** Returns the title of a function's row; at another granularity, its name alone. */
export function rowTitle(
  { strings, functions }: Profile,
  func: number,
  isRegrouped: boolean,
  width = Infinity,
): string {
  const name = strings[functions.name[func]!]!;
  const module = isRegrouped ? '' : strings[functions.module[func]!]!;
  return functionTitle({ name, module }, width);
}
