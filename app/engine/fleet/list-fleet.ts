import { compareText } from '#core/analyze/compare-text.ts';
import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import type { FleetStore } from './store.ts';
import { captureOf, labelPairs } from './read-fleet.ts';
import { Parameters, whereOf, type FleetFilter } from './select.ts';

/** A release of a service, as far as its captures tell. */
export interface FleetRelease {
  readonly service: string;
  readonly release: string;
  /** Captures of unknown hosts count as none. */
  readonly hosts: number;
  readonly captures: number;
  /** Samples of each capture's own value type. */
  readonly samples: number;
  /** Unix milliseconds of the first and the last capture. */
  readonly first: number;
  readonly last: number;
}

/** Returns the releases that have captures, by service, then by the time of their first capture. */
export async function listReleases(fleet: FleetStore, filter: FleetFilter): Promise<FleetRelease[]> {
  const parameters = new Parameters();
  const rows = await fleet.query(
    `SELECT c.service AS service, c.release AS release, count(DISTINCT c.host) AS hosts, count(*) AS captures,
       coalesce(sum(t.samples), 0) AS samples, min(c.time) AS first, max(c.time) AS last
     FROM captures AS c LEFT JOIN totals AS t ON t.capture = c.capture AND t.type = c.event AND t.unit = c.unit
     WHERE ${whereOf(filter, parameters)} GROUP BY c.service, c.release ORDER BY c.service, first, c.release`,
    parameters.values,
  );
  return rows.map((row) => ({
    service: String(row['service']),
    release: String(row['release']),
    hosts: Number(row['hosts']),
    captures: Number(row['captures']),
    samples: Number(row['samples']),
    first: Number(row['first']),
    last: Number(row['last']),
  }));
}

/** Returns captures, oldest first, with the number of samples of their own value type. */
export async function listFleetCaptures(
  fleet: FleetStore,
  filter: FleetFilter,
): Promise<(FleetCapture & { readonly samples: number })[]> {
  const parameters = new Parameters();
  const rows = await fleet.query(
    `SELECT c.*, coalesce(t.weight, 0) AS weight, coalesce(t.samples, 0) AS samples, t.period AS period
     FROM captures AS c LEFT JOIN totals AS t ON t.capture = c.capture AND t.type = c.event AND t.unit = c.unit
     WHERE ${whereOf(filter, parameters)} ORDER BY c.time, c.id`,
    parameters.values,
  );
  return rows.map(captureOf);
}

/** Returns the distinct values of a column over all captures, sorted. */
export async function valuesOf(fleet: FleetStore, column: 'service' | 'host'): Promise<string[]> {
  const rows = await fleet.query(
    `SELECT DISTINCT c.${column} AS value FROM captures AS c WHERE c.${column} IS NOT NULL ORDER BY value`,
  );
  return rows.map((row) => String(row['value']));
}

/** Returns the labels of all captures, sorted by key and value. */
export async function labelsOf(fleet: FleetStore): Promise<[key: string, value: string][]> {
  const rows = await fleet.query('SELECT DISTINCT c.labels AS labels FROM captures AS c');
  const pairs = new Map(rows.flatMap((row) => labelPairs(row)).map((pair) => [JSON.stringify(pair), pair]));
  return [...pairs.values()].sort(([a, b], [c, d]) => compareText(a, c) || compareText(b, d));
}
