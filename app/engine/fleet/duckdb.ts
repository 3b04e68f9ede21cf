import type { DuckDBConnection, DuckDBInstance, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type * as NodeApi from '@duckdb/node-api';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempFolder } from '#collectors/effects/remove.ts';
import { writeNew } from '#collectors/effects/write.ts';
import { EngineFailure, errorCode, isMissing, storageFailure } from '../failure.ts';
import { fleetTables, MARKER } from './schema.ts';
import {
  checkVersion,
  notInstalled,
  type Bound,
  type FleetRow,
  type FleetStore,
  type FleetValue,
  type TableRows,
} from './store.ts';
import { messageOf } from '#core/model/failure.ts';

/** A database of DuckDB has this text at this byte. */
const MAGIC = { at: 8, text: 'DUCK' };
/** Set when the file is opened; the others of {@link LOCKS} can only be set when it is open. */
const OPTIONS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};
const LOCKS = ['SET enable_external_access = false', 'SET lock_configuration = true'];

/** Rows of samples of one transaction: beginning and ending one takes longer than writing a capture. */
const BATCH_ROWS = 2000;

/** Opens a fleet for reading. Rejects with an {@link EngineFailure}. */
export const openDuckDb = (path: string): Promise<FleetStore> => openChecked(path, 'READ_ONLY');

/** Opens a fleet for writing, and creates it if there is no file. Never writes to a file that is not a fleet. */
export async function openDuckDbToPush(path: string): Promise<FleetStore> {
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

async function openChecked(path: string, mode: 'READ_ONLY' | 'READ_WRITE'): Promise<FleetStore> {
  await refuseForeign(path);
  const api = await loadDuckDb();
  const instance = await openInstance(api, path, mode);
  try {
    const connection = await instance.connect();
    for (const statement of LOCKS) await connection.run(statement);
    const file = fleetFile(api, path, instance, connection);
    await checkFleet(file);
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
    // Opening a named pipe would wait for a writer.
    if (!(await stat(path)).isFile()) throw notAFleet(path);
    const file = await open(path);
    try {
      await file.read(head, 0, head.length, 0);
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

async function checkFleet(file: FleetStore): Promise<void> {
  const [table] = await file.query('SELECT count(*) AS found FROM information_schema.tables WHERE table_name = $1', [
    MARKER,
  ]);
  if (Number(table?.['found']) !== 1) throw notAFleet(file.name);
  const [row] = await file.query(`SELECT version FROM ${MARKER}`).catch(() => []);
  if (typeof row?.['version'] !== 'bigint') throw notAFleet(file.name);
  checkVersion(file.name, Number(row['version']), 'file');
}

function fleetFile(
  api: typeof NodeApi,
  path: string,
  instance: DuckDBInstance,
  connection: DuckDBConnection,
): FleetStore {
  const query = async (sql: string, values: readonly Bound[] = []): Promise<FleetRow[]> => {
    try {
      const bound = values.map((value) => (typeof value === 'object' ? api.listValue(value) : value));
      const types = values.map((value) => typeOf(api, value));
      return (await connection.runAndReadAll(sql, bound, types)).getRowObjectsJS();
    } catch (error) {
      const [reason] = messageOf(error).split('\n');
      throw new EngineFailure('storage', `${path}: ${reason}`, 'check the disk and the file', { cause: error });
    }
  };
  const append = async ([table, rows]: TableRows): Promise<void> => {
    const appender = await connection.createAppender(table);
    const types = Array.from({ length: appender.columnCount }, (_, column) => appender.columnType(column));
    for (const row of rows) {
      row.forEach((value, column) => appender.appendValue(toDuckDb(api, value), types[column]));
      appender.endRow();
    }
    appender.closeSync();
  };
  return {
    name: path,
    batchRows: BATCH_ROWS,
    query,
    async add(tables) {
      await query('BEGIN TRANSACTION');
      try {
        for (const rows of tables) await append(rows);
        await query('COMMIT');
      } catch (error) {
        await query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function typeOf({ DOUBLE, LIST, UBIGINT, VARCHAR }: typeof NodeApi, value: Bound): DuckDBType {
  if (typeof value === 'object') return LIST(UBIGINT);
  if (typeof value === 'bigint') return UBIGINT;
  return typeof value === 'number' ? DOUBLE : VARCHAR;
}

function toDuckDb({ listValue, mapValue }: typeof NodeApi, value: FleetValue): DuckDBValue {
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
    throw notInstalled('DuckDB, which fleet needs,', '@duckdb/node-api');
  }
}
