import { EngineFailure } from '../failure.ts';
import type { FleetStore } from './store.ts';
import type { FleetType } from './read-fleet.ts';
import { Parameters, whereAnyOf, whereOf, type FleetFilter } from './select.ts';

/** Functions of a fleet that a text names. */
export interface FoundFunction {
  readonly name: string;
  readonly module: string;
  readonly captures: number;
  readonly hosts: number;
  readonly releases: number;
  /** Self and total weight over all selected captures. */
  readonly self: number;
  readonly total: number;
}

/** How a text names functions: whole names, or any part of them, whatever the case. */
type Naming = 'exactly' | 'part';

const NAMED: Readonly<Record<Naming, (text: string) => string>> = {
  exactly: (text) => `function = ${text}`,
  part: (text) => `position(lower(${text}) IN lower(function)) > 0`,
};

/** Common table expressions of the stacks that contain the named functions, each once; `is_self`: at the leaf. */
const holding = (naming: Naming, text: string): string => `
  named AS (SELECT frame, function, module FROM frames WHERE ${NAMED[naming](text)}),
  placed AS (SELECT stack, frames[-1] AS leaf, unnest(frames) AS frame FROM stacks),
  holding AS (
    SELECT p.stack AS stack, n.function AS function, n.module AS module, max(CASE WHEN p.leaf = n.frame THEN 1 ELSE 0 END) AS is_self
    FROM placed AS p JOIN named AS n ON n.frame = p.frame GROUP BY p.stack, n.function, n.module)`;

/** Returns the functions whose name contains the text, in captures that any of the filters selects; heaviest total first. */
export async function searchFunctions(
  fleet: FleetStore,
  filters: readonly FleetFilter[],
  { type, unit }: FleetType,
  text: string,
  naming: Naming = 'part',
): Promise<FoundFunction[]> {
  const parameters = new Parameters();
  const expressions = holding(naming, parameters.add(text));
  const rows = await fleet.query(
    `WITH ${expressions}
     SELECT h.function AS name, h.module AS module, count(DISTINCT c.capture) AS captures, count(DISTINCT c.host) AS hosts,
       count(DISTINCT c.release) AS releases, sum(s.weight * h.is_self) AS self, sum(s.weight) AS total
     FROM samples AS s JOIN holding AS h ON h.stack = s.stack JOIN captures AS c ON c.capture = s.capture
     WHERE ${whereAnyOf(filters, parameters)} AND s.type = ${parameters.add(type)} AND s.unit = ${parameters.add(unit)}
     GROUP BY h.function, h.module ORDER BY total DESC, name, module`,
    parameters.values,
  );
  return rows.map((row) => ({
    name: String(row['name']),
    module: String(row['module']),
    captures: Number(row['captures']),
    hosts: Number(row['hosts']),
    releases: Number(row['releases']),
    self: Number(row['self']),
    total: Number(row['total']),
  }));
}

/** Returns the name of the one function that a text names: the whole name, or part of only one. */
export async function resolveFunctionName(
  fleet: FleetStore,
  filters: readonly FleetFilter[],
  type: FleetType,
  text: string,
): Promise<string> {
  if ((await searchFunctions(fleet, filters, type, text, 'exactly')).length > 0) return text;
  const names = [...new Set((await searchFunctions(fleet, filters, type, text)).map(({ name }) => name))];
  if (names.length === 1) return names[0]!;
  if (names.length === 0) {
    throw new EngineFailure('usage', `no selected capture has a function ${text}`, 'flamebench fleet top lists them');
  }
  const listed = names.slice(0, MOST_LISTED).join(', ');
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
  throw new EngineFailure('usage', `${text} could be ${listed}${more}`, 'give the whole name');
}

const MOST_LISTED = 5;

/** A capture with what a function weighs in it. */
export interface Carrier {
  readonly id: string;
  readonly name: string;
  readonly host: string | null;
  readonly release: string;
  readonly time: number;
  readonly self: number;
  readonly total: number;
  /** The whole weight of the capture. */
  readonly whole: number;
}

/** Returns the selected captures with the weight of the function of this very name, by share, largest first. */
export async function carriersOf(
  fleet: FleetStore,
  filter: FleetFilter,
  { type, unit }: FleetType,
  name: string,
): Promise<Carrier[]> {
  const parameters = new Parameters();
  const expressions = holding('exactly', parameters.add(name));
  const rows = await fleet.query(
    `WITH ${expressions},
     whole AS (SELECT stack, max(is_self) AS is_self FROM holding GROUP BY stack),
     sums AS (
       SELECT s.capture AS capture, sum(s.weight * w.is_self) AS self, sum(s.weight) AS total
       FROM samples AS s JOIN whole AS w ON w.stack = s.stack
       WHERE s.type = ${parameters.add(type)} AND s.unit = ${parameters.add(unit)} GROUP BY s.capture)
     SELECT c.id AS id, c.name AS name, c.host AS host, c.release AS release, c.time AS time,
       coalesce(sums.self, 0) AS self, coalesce(sums.total, 0) AS total, t.weight AS whole
     FROM captures AS c
       JOIN totals AS t ON t.capture = c.capture AND t.type = ${parameters.add(type)} AND t.unit = ${parameters.add(unit)}
       LEFT JOIN sums ON sums.capture = c.capture
     WHERE ${whereOf(filter, parameters)} AND t.weight <> 0
     ORDER BY coalesce(sums.total, 0) / t.weight DESC, c.time, c.id`,
    parameters.values,
  );
  return rows.map((row) => ({
    id: String(row['id']),
    name: String(row['name']),
    host: (row['host'] as string | null) ?? null,
    release: String(row['release']),
    time: Number(row['time']),
    self: Number(row['self']),
    total: Number(row['total']),
    whole: Number(row['whole']),
  }));
}
