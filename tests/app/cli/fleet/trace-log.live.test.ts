import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { chdb, clickHouseData, type ClickHouseServer } from '../../../support/clickhouse.ts';
import { faultyProxy } from '../../../support/faulty-proxy.ts';
import { needing } from '../../../support/needing.ts';

/** Columns of a server's log that the command reads, with their types. */
const TRACE_LOG = `CREATE TABLE logs.trace_log (
  hostname LowCardinality(String), event_date Date, event_time DateTime, event_time_microseconds DateTime64(6),
  timestamp_ns UInt64, revision UInt32,
  trace_type Enum8('Real' = 0, 'CPU' = 1, 'Memory' = 2, 'MemorySample' = 3, 'MemoryPeak' = 4, 'ProfileEvent' = 5),
  thread_id UInt64, query_id String, trace Array(UInt64), size Int64, event LowCardinality(String), increment Int64
) ENGINE = MergeTree PARTITION BY toYYYYMM(event_date) ORDER BY (event_date, event_time)`;
const QUERY_LOG = `CREATE TABLE logs.query_log (type Int8, query_id String, user String) ENGINE = MergeTree ORDER BY query_id`;
const START = Date.UTC(2026, 0, 1, 12);
const HOSTILE = "x'); DROP TABLE logs.trace_log; --";

needing(chdb, () => {
  const data = clickHouseData();
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-trace-log-'));
  const library = path.join(folder, 'library');
  let server: ClickHouseServer;
  let client: ClickHouseClient;
  /** Functions of the engine by their addresses. */
  let symbols: { text: string; name: string }[];
  beforeAll(async () => {
    server = await data.start();
    client = createClient({ url: `http://127.0.0.1:${server.port}`, log: { level: ClickHouseLogLevel.OFF } });
    for (const query of ['CREATE DATABASE logs', TRACE_LOG, QUERY_LOG]) await client.command({ query });
    const found = await client.query({
      query: `SELECT toString(address) AS text, demangle(addressToSymbol(address)) AS name
        FROM (SELECT toUInt64(number * 65536) AS address FROM numbers(20000)) WHERE name LIKE '%::%' LIMIT 3`,
      format: 'JSONEachRow',
      clickhouse_settings: { allow_introspection_functions: 1 },
    });
    symbols = await found.json();
    expect(symbols).toHaveLength(3);
    const [leaf, middle, root] = symbols.map(({ text }) => text);
    const row = (place: number, type: string, query: string, trace: unknown[], size = 0) => ({
      event_date: '2026-01-01',
      event_time: START / 1000 + place,
      event_time_microseconds: (START / 1000 + place).toFixed(6),
      trace_type: type,
      thread_id: 7 + (place % 2),
      query_id: query,
      trace,
      size,
    });
    await client.insert({
      table: 'logs.trace_log',
      format: 'JSONEachRow',
      values: [
        ...[0, 1, 2].map((place) => row(place, 'CPU', 'one', [leaf, middle, root])),
        row(3, 'CPU', 'one', [middle, root]),
        row(4, 'Real', 'one', [root]),
        row(5, 'Memory', 'one', [leaf, root], 4096),
        row(6, 'ProfileEvent', 'one', [root]),
        row(7, 'CPU', 'two', [leaf, '1']),
        row(8, 'CPU', HOSTILE, []),
      ],
    });
    const values = [
      ...['one', 'two'].map((id) => ({ query_id: id, user: 'ada' })),
      { query_id: HOSTILE, user: HOSTILE },
    ];
    await client.insert({ table: 'logs.query_log', format: 'JSONEachRow', values });
  });
  afterAll(async () => {
    await client.close();
    await data.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (database = 'logs', port = server.port): string => `clickhouse://127.0.0.1:${port}/${database}`;
  const readAt = (name: string, ...args: string[]) =>
    callCli(['fleet', 'trace-log', '--in', name, '--library', library, ...args]);
  const read = (...args: string[]) => readAt(address(), ...args);
  const idOf = async (...args: string[]): Promise<string> => {
    const run = await read(...args, '--json');
    expect(run, run.stderr).toMatchObject({ code: 0 });
    return (JSON.parse(run.stdout) as { id: string }).id;
  };
  const topOf = async (id: string, ...args: string[]) => {
    const run = await callCli(['top', id, '--library', library, '--json', ...args]);
    expect(run.code, run.stderr).toBe(0);
    const { total, functions } = JSON.parse(run.stdout) as {
      total: number;
      functions: { name: string; self: number; total: number }[];
    };
    return { total, functions: functions.map(({ name, self, total: whole }) => [name, self, whole]) };
  };

  test('the samples of a query are a capture with a value type for each kind of trace', async () => {
    const run = await read('--query-id', 'one');
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toContain('1 sample of the trace type ProfileEvent is left out');
    const [, id = ''] = /^(\S+): 6 samples; flamebench open \1 --library /.exec(run.stdout) ?? [];
    const [leaf, middle, root] = symbols.map(({ name }) => name);
    expect(await topOf(id)).toEqual({
      total: 4,
      functions: [
        [leaf, 3, 3],
        [middle, 1, 4],
        [root, 0, 4],
      ],
    });
    expect(await topOf(id, '--type', 'real')).toEqual({ total: 1, functions: [[root, 1, 1]] });
    expect(await topOf(id, '--type', 'memory/bytes')).toEqual({
      total: 4096,
      functions: [
        [leaf, 4096, 4096],
        [root, 0, 4096],
      ],
    });
    const summary = await callCli(['summary', id, '--library', library]);
    expect(summary.code, summary.stderr).toBe(0);
  });

  test('users, times and ids select, whatever characters they have, and unknown addresses stay addresses', async () => {
    expect((await topOf(await idOf('--user', 'ada'))).total).toBe(5);
    expect((await topOf(await idOf('--user', HOSTILE))).total).toBe(1);
    expect((await topOf(await idOf('--query-id', HOSTILE))).total).toBe(1);
    const both = await idOf('--since', '2026-01-01T12:00:02Z', '--until', '2026-01-01T12:00:08Z');
    expect((await topOf(both)).total).toBe(3);
    expect((await topOf(await idOf('--since', '0001-01-01', '--until', '9999-01-01'))).total).toBe(6);
    const { functions } = await topOf(await idOf('--query-id', 'two'));
    expect(functions).toContainEqual(['0x1', 0, 1]);
  });

  test('without the right to introspection, functions are addresses and a line says so', async () => {
    const refusing = await faultyProxy(server.port, 'deny', 'allow_introspection_functions');
    const run = await readAt(address('logs', refusing.port), '--query-id', 'one', '--json');
    await refusing.stop();
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toContain('this user may not call addressToSymbol');
    const { functions } = await topOf((JSON.parse(run.stdout) as { id: string }).id);
    expect(functions[0]).toEqual([`0x${Number(symbols[0]!.text).toString(16)}`, 3, 3]);
  });

  test('what can’t be read is named with its remedy', async () => {
    expect((await read()).stderr).toContain('no samples are selected; add --query-id, --user or --since');
    expect((await read('--query-id', 'none')).stderr).toContain('has no samples of CPU, Real or Memory');
    expect((await read('--since', 'today')).stderr).toContain("--since: 'today' is not a time");
    const elsewhere = await readAt(address('default'), '--query-id', 'one');
    expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
    expect(elsewhere.stderr).toContain('has no table trace_log, or no query_log; name the server’s database of logs');
    const none = await callCli(['fleet', 'trace-log', '--query-id', 'one', '--library', library]);
    expect(none.stderr).toContain('no server is named');
  });
});
