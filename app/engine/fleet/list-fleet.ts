import type { FleetCapture } from '#core/fleet/merge-captures.ts';
import type { FleetFile } from './duckdb.ts';
import { captureOf } from './read-fleet.ts';
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
export async function listReleases(fleet: FleetFile, filter: FleetFilter): Promise<FleetRelease[]> {
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
  fleet: FleetFile,
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
