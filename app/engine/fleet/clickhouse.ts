import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type * as Client from '@clickhouse/client';
import { constants, open } from 'node:fs/promises';
import { escapeControls } from '#core/contract/escape-controls.ts';
import { messageOf } from '#core/model/failure.ts';
import { EngineFailure, errorCode, storageFailure } from '../failure.ts';
import { requireOwnerOnly } from '../files/read-given-file.ts';
import { serverTables, type ServerTables } from './clickhouse-tables.ts';
import { MARKER, TABLE_NAMES, TABLES } from './schema.ts';
import { readServerAddress, type ServerAddress } from './server-address.ts';
import {
  checkVersion,
  notInstalled,
  FLEET_AWAY,
  FLEET_LOGIN,
  type Bound,
  type FleetLogin,
  type FleetRow,
  type FleetStore,
  type FleetValue,
} from './store.ts';

/** Longest time for which a server may send nothing, in ms: queries answer when they have ended. */
const MAX_SILENCE_MS = 300_000;
/** Longest time to open a fleet, in ms: a server that is away may not even refuse. */
const MAX_OPENING_MS = 15_000;
/** Rows of samples of one write: the server makes a file of each, and merges few large ones cheaper than many. */
const BATCH_ROWS = 50_000;
/** Ids of one statement. */
const MAX_BOUND_IDS = 20_000;

const READING = {
  // As in DuckDB and the standard.
  join_use_nulls: 1,
  // Errors arrive as such, not at the end of a result.
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  // Of tables that a cluster distributes: what is joined is collected first.
  distributed_product_mode: 'global',
  prefer_global_in_and_join: 1,
} as const;
/** An insert returns once its rows are stored, because rows of the next table refer to them. */
const WRITING = { distributed_foreground_insert: 1, wait_for_async_insert: 1 } as const;

/** What the statements call otherwise than ClickHouse does. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bunnest\(/g, 'arrayJoin('],
  [/\blower\(/g, 'lowerUTF8('],
  [/\bmap_contains\(/g, 'mapContains('],
  [/\bstarts_with\(/g, 'startsWith('],
  [/\bcaptures AS c\b/g, 'captures AS c FINAL'],
];

/** Opens a fleet of a server. `login` is user and password, or the file with them. Rejects with an {@link EngineFailure}. */
export async function openClickHouse(text: string, login?: string | FleetLogin): Promise<FleetStore> {
  const address = readServerAddress(text);
  const client = await connect(address, login, address.database);
  try {
    const row = await attempt(address, async () => {
      const sql = `SELECT max(version) AS version, count(*) AS found FROM ${MARKER}`;
      const [only] = await select(client, sql, [], { limitMs: MAX_OPENING_MS });
      if (typeof only?.['found'] === 'bigint' && typeof only['version'] === 'bigint') return only;
      throw new TypeError('no version');
    });
    if (row['found'] === 0n) throw missing(address);
    checkVersion(address.name, Number(row['version']), 'database');
    return storeOf(address, client);
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** A database of a server, which need not be a fleet. */
export interface ServerConnection {
  /** The server's address. */
  readonly name: string;
  /** Runs one statement with values bound to `$1`, `$2`… Rejects with an {@link EngineFailure} whose cause has the server's code. */
  query(sql: string, values: readonly Bound[], settings: ClickHouseSettings): Promise<FleetRow[]>;
  close(): void;
}

/** Connects to a database of a server. Rejects with an {@link EngineFailure}, later also if the server is away. */
export async function connectClickHouse(text: string, login?: string | FleetLogin): Promise<ServerConnection> {
  const address = readServerAddress(text);
  const client = await connect(address, login, address.database);
  return {
    name: address.name,
    query: (sql, values, settings) => attempt(address, () => select(client, sql, values, { settings })),
    close: () => void client.close().catch(() => undefined),
  };
}

/** Makes the tables of a fleet, if the database has none. Throws a failure if it has tables that are not a fleet's. */
export async function initClickHouse(
  text: string,
  login: string | FleetLogin | undefined,
  options: Pick<ServerTables, 'ttlDays' | 'byTeam'>,
): Promise<void> {
  const address = readServerAddress(text);
  const client = await connect(address, login);
  try {
    await attempt(address, async () => {
      const found = await select(
        client,
        `SELECT name FROM system.tables WHERE database = $1 AND (name = '${MARKER}' OR name IN ('${TABLE_NAMES.join("', '")}'))`,
        [address.database],
        { limitMs: MAX_OPENING_MS },
      );
      const names = found.map((row) => String(row['name']));
      if (names.length > 0 && !names.includes(MARKER)) {
        throw new EngineFailure(
          'usage',
          `${address.name} has a table ${names[0]} that is not a fleet's`,
          'name another database; this one stays as it is',
        );
      }
      for (const query of serverTables({ ...options, database: address.database, cluster: null })) {
        await client.command({ query });
      }
    });
  } finally {
    await client.close();
  }
  (await openClickHouse(text, login)).close();
}

async function connect(
  address: ServerAddress,
  login: string | FleetLogin | undefined,
  database?: string,
): Promise<ClickHouseClient> {
  const given = login ?? (process.env['FLAMEBENCH_FLEET_LOGIN'] || undefined);
  if (given !== undefined && !address.isPrivate) throw unencrypted(address);
  const credentials = given === undefined ? {} : typeof given === 'object' ? given : await readLogin(given);
  const { createClient, ClickHouseLogLevel } = await loadClient();
  return createClient({
    ...credentials,
    ...(database === undefined ? {} : { database }),
    url: address.url,
    application: 'flamebench',
    request_timeout: MAX_SILENCE_MS,
    compression: { request: true },
    // Long values do not fit into the request's address.
    use_multipart_params_auto: true,
    // Failures say what the log would.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

const unencrypted = ({ name }: ServerAddress): EngineFailure =>
  new EngineFailure(
    'usage',
    `${name} would get the password unencrypted`,
    'use clickhouses://, or an SSH tunnel to a port of this machine',
  );

const MAX_LOGIN = 4096;

/** Reads user and password, the first two lines of a file that nobody else can read. */
async function readLogin(path: string): Promise<FleetLogin> {
  try {
    // A named pipe would wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile())
        throw new EngineFailure('usage', `${path} is not a file`, 'name a file with user and password');
      requireOwnerOnly(path, stats.mode);
      const buffer = Buffer.alloc(MAX_LOGIN);
      const { bytesRead } = await file.read(buffer, 0, MAX_LOGIN, 0);
      const [username = '', password = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/);
      if (username !== '') return { username, password };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw storageFailure(error, `read ${path}`);
  }
  throw new EngineFailure(
    'usage',
    `${path} has no user`,
    'write the user on its first line, the password on its second',
  );
}

function storeOf(address: ServerAddress, client: ClickHouseClient): FleetStore {
  return {
    name: address.name,
    batchRows: BATCH_ROWS,
    query: (sql, values = []) => attempt(address, () => selectByParts(client, sql, values)),
    add: (tables) =>
      attempt(address, async () => {
        for (const [table, rows] of tables) {
          for (let place = 0; place < rows.length; place += BATCH_ROWS) {
            await client.insert({
              table,
              columns: Object.keys(TABLES[table]) as [string, ...string[]],
              values: rows.slice(place, place + BATCH_ROWS).map((row) => row.map(toJson)),
              format: 'JSONCompactEachRow',
              clickhouse_settings: WRITING,
            });
          }
        }
      }),
    close: () => void client.close().catch(() => undefined),
  };
}

/** Binds a long list of ids in parts, and joins the results. */
async function selectByParts(client: ClickHouseClient, sql: string, values: readonly Bound[]): Promise<FleetRow[]> {
  const [first] = values;
  if (typeof first !== 'object' || first.length <= MAX_BOUND_IDS) return select(client, sql, values);
  const rows: FleetRow[] = [];
  for (let place = 0; place < first.length; place += MAX_BOUND_IDS) {
    rows.push(...(await select(client, sql, [first.slice(place, place + MAX_BOUND_IDS), ...values.slice(1)])));
  }
  return rows;
}

async function select(
  client: ClickHouseClient,
  sql: string,
  values: readonly Bound[],
  { limitMs, settings = {} }: { readonly limitMs?: number; readonly settings?: ClickHouseSettings } = {},
): Promise<FleetRow[]> {
  const bound = sql.replaceAll(/\$(\d+)/g, (_, place: string) => `{p${place}:${typeOf(values[Number(place) - 1]!)}}`);
  const result = await client.query({
    query: NAMES.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), bound),
    query_params: Object.fromEntries(values.map((value, place) => [`p${place + 1}`, toParameter(value)])),
    format: 'JSONCompactEachRowWithNamesAndTypes',
    clickhouse_settings: { ...READING, ...settings },
    ...(limitMs === undefined ? {} : { abort_signal: AbortSignal.timeout(limitMs) }),
  });
  const rows: FleetRow[] = [];
  let columns: readonly string[] | null = null;
  let read: readonly ((value: unknown) => unknown)[] | null = null;
  for await (const part of result.stream<unknown[]>()) {
    for (const line of part) {
      const cells = line.json<unknown[]>();
      if (!Array.isArray(cells)) throw new TypeError('a row is not a list');
      if (columns === null) columns = cells as string[];
      else if (read === null) read = cells.map((type) => readerOf(String(type)));
      else rows.push(Object.fromEntries(columns.map((name, place) => [name, read![place]!(cells[place])])));
    }
  }
  return rows;
}

function typeOf(value: Bound): string {
  if (typeof value === 'object') return 'Array(UInt64)';
  if (typeof value === 'bigint') return 'UInt64';
  return typeof value === 'number' ? 'Float64' : 'String';
}

const toParameter = (value: Bound): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

function toJson(value: FleetValue): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if ('get' in value)
    return Object.fromEntries([...value].map(([key, text]) => [key.toWellFormed(), text.toWellFormed()]));
  return value.map(String);
}

/** Returns what converts a column's values to the form in which DuckDB returns them: ids as bigints, a map as pairs. */
function readerOf(type: string): (value: unknown) => unknown {
  if (/^(Nullable\()?U?Int64\)?$/.test(type)) return (value) => (value === null ? null : BigInt(value as string));
  if (type === 'Array(UInt64)') return (value) => (value as string[]).map(BigInt);
  if (!type.startsWith('Map(')) return (value) => value;
  return (value) => Object.entries(value as Record<string, string>).map(([key, text]) => ({ key, value: text }));
}

/** Runs requests; their failures become one line. */
async function attempt<T>(address: ServerAddress, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof EngineFailure ? error : failureOf(address, error);
  }
}

/** Codes of ClickHouse: src/Common/ErrorCodes.cpp. */
const UNKNOWN = new Set(['60', '81']);
const NOT_LOGGED_IN = new Set(['192', '193', '194', '516']);
const MAX_REASON = 300;

function failureOf(address: ServerAddress, error: unknown): EngineFailure {
  const code = errorCode(error) ?? '';
  const cause = { cause: error };
  if (UNKNOWN.has(code)) return missing(address, cause);
  const [line = ''] = messageOf(error).trim().split('\n');
  const reason = escapeControls(line.slice(0, MAX_REASON));
  if (NOT_LOGGED_IN.has(code)) {
    // There is no use in asking for a password.
    if (!address.isPrivate) return unencrypted(address);
    return new EngineFailure(
      FLEET_LOGIN,
      `${address.name} does not accept the user and password`,
      'name a file with both by --login or FLAMEBENCH_FLEET_LOGIN; see docs/fleet.md',
      cause,
    );
  }
  if (/^\d+$/.test(code))
    return new EngineFailure('storage', `${address.name}: ${reason}`, 'see the server’s log', cause);
  const isLate = error instanceof Error && /abort|timeout/i.test(`${error.name} ${line}`);
  const what =
    isLate || code !== ''
      ? `can't be reached: ${isLate ? 'no answer in time' : reason || code}`
      : `does not answer as ClickHouse does: ${reason}`;
  return new EngineFailure(
    FLEET_AWAY,
    `${address.name} ${what}`,
    'once it answers, run the same again: what it has is left as it is',
    cause,
  );
}

const missing = ({ name }: ServerAddress, options?: ErrorOptions): EngineFailure =>
  new EngineFailure(
    'not-found',
    `there is no fleet at ${name}`,
    `flamebench fleet init --to ${name} makes one`,
    options,
  );

/** Rejects with an {@link EngineFailure} that says how to install the client, which no package of Flamebench contains. */
async function loadClient(): Promise<typeof Client> {
  try {
    return await import('@clickhouse/client');
  } catch {
    throw notInstalled('the client of ClickHouse, which this fleet needs,', '@clickhouse/client');
  }
}
