import { EngineFailure } from '../failure.ts';
import { FLEET_VERSION, type TableName } from './schema.ts';

export type FleetRow = Readonly<Record<string, unknown>>;
/** A value of a column. Ids are bigints, as are counts. */
export type FleetValue = string | number | bigint | boolean | null | readonly bigint[] | ReadonlyMap<string, string>;
/** A value that a statement refers to. */
export type Bound = string | number | bigint | readonly bigint[];
/** Rows of a table, with values in the order of its columns. */
export type TableRows = readonly [table: TableName, rows: readonly (readonly FleetValue[])[]];

/** Code of the failure to reach a fleet's server. */
export const FLEET_AWAY = 'fleet-away';

/** Code of the failure that a fleet's server does not accept the user and password. */
export const FLEET_LOGIN = 'fleet-login';

export interface FleetLogin {
  readonly username: string;
  readonly password: string;
}

/** A fleet in a file of DuckDB or a database of ClickHouse. */
export interface FleetStore {
  /** The file's path, or the server's address. */
  readonly name: string;
  /** Rows of samples that are worth a write. */
  readonly batchRows: number;
  /** Runs one statement. Values are bound to `$1`, `$2`…, never part of its text. */
  query(sql: string, values?: readonly Bound[]): Promise<FleetRow[]>;
  /**
   * Adds rows to tables in this order. If that fails or ends halfway, a file has none of them; a server may have those
   * of the first tables.
   */
  add(tables: readonly TableRows[]): Promise<void>;
  close(): void;
}

/** The failure that a package which no Flamebench contains is missing; `what` begins the sentence. */
export const notInstalled = (what: string, packageName: string): EngineFailure =>
  new EngineFailure(
    'usage',
    `${what} is not installed`,
    `npm install -g ${packageName}, beside a Flamebench that npm installed; docs/fleet.md has the other ways`,
  );

/** Throws unless the tables have the version of this Flamebench. `place` completes "push the captures to a new …". */
export function checkVersion(name: string, version: number, place: 'file' | 'database'): void {
  if (version === FLEET_VERSION) return;
  throw new EngineFailure(
    'usage',
    `${name} has version ${version} of the fleet's tables; this Flamebench has version ${FLEET_VERSION}`,
    version > FLEET_VERSION ? 'update Flamebench' : `push the captures to a new ${place}`,
  );
}
