import { TRACE_TYPES, traceLogProfile, type TraceSymbol, type TraceType } from '#core/fleet/trace-log-profile.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { countText } from '#core/units/format.ts';
import { EngineFailure, errorCode } from '../failure.ts';
import { connectClickHouse, type ServerConnection } from './clickhouse.ts';
import { Parameters } from './select.ts';
import type { FleetLogin } from './store.ts';

/** Which samples of a server's `trace_log`. All conditions must hold; values of one are alternatives. */
export interface TraceLogFilter {
  readonly queryIds: readonly string[];
  readonly users: readonly string[];
  /** Unix milliseconds; `until` is exclusive. */
  readonly since: number | null;
  readonly until: number | null;
}

export interface ReadTraceLog {
  readonly profile: Profile;
  readonly samples: number;
  readonly warnings: readonly string[];
}

/** A profile of more samples would not fit into memory together with its rows. */
const MAX_SAMPLES = 2_000_000;
/** Codes of ClickHouse for what a user or server does not allow: src/Common/ErrorCodes.cpp. */
const NOT_ALLOWED = new Set(['164', '446', '452', '497']);
const UNKNOWN_COLUMN = '47';
/** Times that the server's dates hold, in Unix milliseconds. */
const [EARLIEST, LATEST] = [Date.UTC(1970, 0, 3), Date.UTC(2105, 0, 1)];
const INTROSPECTION = { allow_introspection_functions: 1 };

/** How addresses are named, best first, and what is missing then. */
const NAMINGS = [
  { name: 'demangle(addressToSymbol(address))', line: 'addressToLine(address)', missing: null },
  {
    name: 'demangle(addressToSymbol(address))',
    line: "''",
    missing: 'this user may not call addressToLine: source lines are missing',
  },
  {
    name: "''",
    line: "''",
    missing: 'this user may not call addressToSymbol with allow_introspection_functions: functions are addresses',
  },
] as const;

/**
 * Reads samples of `trace_log` in the database that the address names. Throws a failure if there are none, or too many.
 * `login` is user and password, or the file with them.
 */
export async function readTraceLog(
  text: string,
  login: string | FleetLogin | undefined,
  filter: TraceLogFilter,
): Promise<ReadTraceLog> {
  const server = await connectClickHouse(text, login);
  try {
    return await read(server, filter);
  } catch (error) {
    throw explained(server.name, error);
  } finally {
    server.close();
  }
}

async function read(server: ServerConnection, filter: TraceLogFilter): Promise<ReadTraceLog> {
  const parameters = new Parameters();
  const where = whereOf(filter, parameters);
  const ask = (sql: string, settings = {}) => server.query(sql, parameters.values, settings);
  const counts = new Map<string, number>();
  for (const row of await ask(
    `SELECT toString(trace_type) AS type, count(*) AS samples FROM trace_log WHERE ${where} GROUP BY type ORDER BY type`,
  ))
    counts.set(String(row['type']), Number(row['samples']));
  const named: readonly string[] = TRACE_TYPES.map(({ name }) => name);
  const leftOut = new Map([...counts].filter(([type]) => !named.includes(type)));
  const samples = named.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  if (samples === 0) {
    throw new EngineFailure(
      'not-found',
      `${server.name} has no samples of CPU, Real or Memory of this selection`,
      'wait until the server has flushed its logs (SYSTEM FLUSH LOGS), and see query_profiler_cpu_time_period_ns',
    );
  }
  if (samples > MAX_SAMPLES) {
    throw new EngineFailure(
      'too-large',
      `${samples} samples are selected; a capture has up to ${MAX_SAMPLES}`,
      'select a shorter time (--since, --until) or a query (--query-id)',
    );
  }
  const selected = `FROM trace_log WHERE ${where} AND toString(trace_type) IN ('${named.join("', '")}')`;
  const rows = await ask(
    `SELECT toString(trace_type) AS type, toFloat64(toUnixTimestamp64Micro(event_time_microseconds)) AS time,
       thread_id AS thread, query_id AS query, cityHash64(trace) AS stack, size ${selected} ORDER BY time, thread, type`,
  );
  const stacks = await ask(`SELECT DISTINCT cityHash64(trace) AS id, trace AS addresses ${selected} ORDER BY id`);
  const { symbols, missing } = await readSymbols(ask, selected);
  const [host] = await ask('SELECT hostName() AS name');
  const hostName = host?.['name'];
  const profile = traceLogProfile({
    samples: rows.map((row) => ({
      type: String(row['type']) as TraceType,
      time: Number(row['time']),
      thread: Number(row['thread']),
      query: String(row['query']),
      stack: row['stack'] as bigint,
      size: Number(row['size']),
    })),
    stacks: stacks.map((row) => ({ id: row['id'] as bigint, addresses: row['addresses'] as bigint[] })),
    symbols,
    leftOut,
    hostName: typeof hostName === 'string' && hostName !== '' ? hostName : null,
    comment: `trace_log of ${server.name}: ${describe(filter)}`,
  });
  checkProfile(profile);
  const warnings = [...leftOut].map(
    ([type, count]) => `${countText(count, 'sample')} of the trace type ${type} ${count === 1 ? 'is' : 'are'} left out`,
  );
  return { profile, samples, warnings: missing === null ? warnings : [...warnings, missing] };
}

type Ask = (sql: string, settings?: Readonly<Record<string, number>>) => ReturnType<ServerConnection['query']>;

/** Names the addresses as well as the server lets this user. */
async function readSymbols(
  ask: Ask,
  selected: string,
): Promise<{ readonly symbols: TraceSymbol[]; readonly missing: string | null }> {
  let refusal: unknown;
  for (const { name, line, missing } of NAMINGS) {
    try {
      const rows = await ask(
        `SELECT address, ${name} AS name, ${line} AS line
         FROM (SELECT DISTINCT arrayJoin(trace) AS address ${selected}) ORDER BY address`,
        name === "''" ? {} : INTROSPECTION,
      );
      const symbols = rows.map((row) => ({
        address: row['address'] as bigint,
        name: String(row['name']),
        line: String(row['line']),
      }));
      return { symbols, missing };
    } catch (error) {
      if (!NOT_ALLOWED.has(serverCode(error))) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function whereOf({ queryIds, users, since, until }: TraceLogFilter, parameters: Parameters): string {
  const oneOf = (values: readonly string[]): string => values.map((value) => parameters.add(value)).join(', ');
  const conditions: string[] = [];
  if (queryIds.length > 0) conditions.push(`query_id IN (${oneOf(queryIds)})`);
  if (users.length > 0) conditions.push(`query_id IN (SELECT query_id FROM query_log WHERE user IN (${oneOf(users)}))`);
  const bound = (comparison: '>=' | '<', time: number): void => {
    const milliseconds = parameters.add(time);
    conditions.push(`toUnixTimestamp64Milli(event_time_microseconds) ${comparison} ${milliseconds}`);
    // Partitions are by the server's date, which may be another one than in UTC.
    const inRange = parameters.add(Math.min(LATEST, Math.max(EARLIEST, time)) / 1000);
    const day = `toDate(toDateTime(${inRange}))`;
    conditions.push(comparison === '<' ? `event_date <= ${day} + 1` : `event_date >= ${day} - 1`);
  };
  if (since !== null) bound('>=', since);
  if (until !== null) bound('<', until);
  return conditions.length === 0 ? '1' : conditions.join(' AND ');
}

function describe({ queryIds, users, since, until }: TraceLogFilter): string {
  const parts = [
    ...(queryIds.length === 0 ? [] : [`query ${queryIds.join(' or ')}`]),
    ...(users.length === 0 ? [] : [`user ${users.join(' or ')}`]),
    ...(since === null ? [] : [`since ${new Date(since).toISOString()}`]),
    ...(until === null ? [] : [`until ${new Date(until).toISOString()}`]),
  ];
  return parts.join(', ');
}

const serverCode = (error: unknown): string =>
  (error instanceof EngineFailure && errorCode(error.cause)) || (errorCode(error) ?? '');

function explained(name: string, error: unknown): unknown {
  const cause = { cause: error };
  switch (serverCode(error)) {
    case '60':
    case '81':
      return new EngineFailure(
        'not-found',
        `${name} has no table trace_log, or no query_log`,
        'name the server’s database of logs, which is system: clickhouse://HOST:8123/system',
        cause,
      );
    case UNKNOWN_COLUMN:
      return new EngineFailure(
        'unreadable-input',
        `${name}: trace_log lacks a column that this version reads`,
        'use a ClickHouse of 2020 or later',
        cause,
      );
    default:
      return error;
  }
}
