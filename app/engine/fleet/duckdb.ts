import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import type * as NodeApi from '@duckdb/node-api';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempFolder } from '#collectors/effects/remove.ts';
import { writeNew } from '#collectors/effects/write.ts';
import { EngineFailure, errorCode, isMissing, storageFailure } from '../failure.ts';
import { FLEET_VERSION, fleetTables, MARKER, type TableName } from './schema.ts';

export type FleetRow = Readonly<Record<string, unknown>>;
type Value = string | number | bigint | boolean | null | readonly bigint[] | ReadonlyMap<string, string>;
type Append = (row: readonly Value[]) => void;

/** A fleet in a file. */
export interface FleetFile {
  readonly path: string;
  /** Runs one statement. Values are bound to `$1`, `$2`…, never part of its text. */
  query(sql: string, values?: readonly (string | number | bigint)[]): Promise<FleetRow[]>;
  /** Adds rows of values in the table's order. */
  append(table: TableName, add: (append: Append) => void): Promise<void>;
  close(): void;
}

/** A database of DuckDB has this text at this byte. */
const MAGIC = { at: 8, text: 'DUCK' };
/** Set when the file is opened; the others of {@link LOCKS} can only be set when it is open. */
const OPTIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};
const LOCKS = ['SET enable_external_access = false', 'SET lock_configuration = true'];

/** Opens a fleet for reading. Rejects with an {@link EngineFailure}. */
export const openFleet = (path: string): Promise<FleetFile> => openChecked(path, 'READ_ONLY');

/** Opens a fleet for writing, and creates it if there is no file. Never writes to a file that is not a fleet. */
export async function openFleetToPush(path: string): Promise<FleetFile> {
  if (!(await exists(path))) await createFleet(path);
  // A database that is opened for writing may be changed by that alone, so it is first read.
  (await openChecked(path, 'READ_ONLY')).close();
  return openChecked(path, 'READ_WRITE');
}

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path)).close();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw storageFailure(error, `open ${path}`);
  }
}

/** Makes the empty fleet elsewhere, so that a file at the path is a whole one, and never another program's. */
async function createFleet(path: string): Promise<void> {
  const api = await loadDuckDb();
  const folder = await makeTempFolder('flamebench-fleet-');
  try {
    const made = join(folder.path, 'fleet.duckdb');
    const instance = await api.DuckDBInstance.create(made, OPTIONS);
    const connection = await instance.connect();
    for (const statement of fleetTables()) await connection.run(statement);
    await connection.run('CHECKPOINT');
    connection.closeSync();
    instance.closeSync();
    await writeNew(path, await readFile(made));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw storageFailure(error, `create ${path}`);
    // Another push may have made it at the same time.
    if (!(await exists(path))) {
      throw new EngineFailure('usage', `${path} is a link to a missing file`, 'name that file');
    }
  } finally {
    await folder.remove();
  }
}

async function openChecked(path: string, mode: 'READ_ONLY' | 'READ_WRITE'): Promise<FleetFile> {
  await refuseForeign(path);
  const api = await loadDuckDb();
  const instance = await openInstance(api, path, mode);
  try {
    const connection = await instance.connect();
    for (const statement of LOCKS) await connection.run(statement);
    const file = fleetFile(api, path, instance, connection);
    await checkVersion(file);
    return file;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function openInstance(api: typeof NodeApi, path: string, mode: string): Promise<DuckDBInstance> {
  try {
    return await api.DuckDBInstance.create(path, { ...OPTIONS, access_mode: mode });
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    if (/lock/i.test(reason)) {
      throw new EngineFailure('in-use', `${path} is in use by another process`, 'wait until its push ends, or end it');
    }
    throw new EngineFailure('unreadable-input', `${path} can't be opened: ${reason}`, 'restore it from a copy');
  }
}

/** Throws unless the file is a database of DuckDB, before DuckDB touches it. */
async function refuseForeign(path: string): Promise<void> {
  const head = Buffer.alloc(MAGIC.at + MAGIC.text.length);
  try {
    const file = await open(path);
    try {
      if ((await file.stat()).isFile()) await file.read(head, 0, head.length, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isMissing(error)) throw storageFailure(error, `read ${path}`);
    throw new EngineFailure(
      'not-found',
      `there is no fleet at ${path}`,
      `flamebench fleet push CAPTURE… --to ${path} makes one`,
    );
  }
  if (head.toString('latin1', MAGIC.at) !== MAGIC.text) throw notAFleet(path);
}

const notAFleet = (path: string): EngineFailure =>
  new EngineFailure('usage', `${path} is not a fleet of Flamebench`, 'name another file; this one stays as it is');

async function checkVersion(file: FleetFile): Promise<void> {
  const [table] = await file.query('SELECT count(*) AS found FROM information_schema.tables WHERE table_name = $1', [
    MARKER,
  ]);
  if (Number(table?.['found']) !== 1) throw notAFleet(file.path);
  const [row] = await file.query(`SELECT version FROM ${MARKER}`).catch(() => []);
  if (typeof row?.['version'] !== 'bigint') throw notAFleet(file.path);
  const version = Number(row['version']);
  if (version === FLEET_VERSION) return;
  throw new EngineFailure(
    'usage',
    `${file.path} has version ${version} of the fleet's tables; this Flamebench has version ${FLEET_VERSION}`,
    version > FLEET_VERSION ? 'update Flamebench' : 'push the captures to a new file',
  );
}

function fleetFile(
  api: typeof NodeApi,
  path: string,
  instance: DuckDBInstance,
  connection: DuckDBConnection,
): FleetFile {
  return {
    path,
    async query(sql, values = []) {
      try {
        return (await connection.runAndReadAll(sql, [...values])).getRowObjectsJS();
      } catch (error) {
        const [reason] = messageOf(error).split('\n');
        throw new EngineFailure('storage', `${path}: ${reason}`, 'check the disk and the file', { cause: error });
      }
    },
    async append(table, add) {
      const appender = await connection.createAppender(table);
      const types = Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));
      add((row) => {
        row.forEach((value, column) => appender.appendValue(toDuckDb(api, value), types[column]));
        appender.endRow();
      });
      appender.closeSync();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function toDuckDb({ listValue, mapValue }: typeof NodeApi, value: Value): DuckDBValue {
  if (typeof value !== 'object' || value === null) return value;
  if ('entries' in value && 'get' in value) {
    return mapValue(Array.from(value, ([key, text]) => ({ key, value: text })));
  }
  return listValue(value);
}

/** Rejects with an {@link EngineFailure} that says how to install DuckDB, which no package of Flamebench contains. */
async function loadDuckDb(): Promise<typeof NodeApi> {
  try {
    return await import('@duckdb/node-api');
  } catch {
    throw new EngineFailure(
      'usage',
      'DuckDB, which fleet needs, is not installed',
      'npm install -g @duckdb/node-api, beside a Flamebench that npm installed; docs/fleet.md has the other ways',
    );
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
