import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createFileHandles } from '#app/engine/files/file-handles.ts';
import { callFleet } from '#app/engine/fleet/calls.ts';

vi.mock('@duckdb/node-api', () => {
  throw new Error('Cannot find package');
});

vi.mock('@clickhouse/client', () => {
  throw new Error('Cannot find package');
});

const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-calls-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const FILTER = { service: [], release: [], commit: [], host: [], capture: [], labels: [], since: null, until: null };
const call = (method: string, params: unknown): Promise<unknown> => callFleet(createFileHandles(), { method, params });
const describe = (store: string): Promise<unknown> => call('describe', { store, filter: FILTER });

test('calls that the contract does not have are refused', async () => {
  for (const method of ['__proto__', 'constructor', 'drop']) {
    await expect(call(method, {})).rejects.toMatchObject({ code: 'invalid-arguments' });
  }
  for (const params of [null, [], { store: '' }, { store: '/a', filter: { ...FILTER, host: 'web-1' } }]) {
    await expect(call('describe', params)).rejects.toMatchObject({ code: 'invalid-arguments' });
  }
});

test('only fleets at absolute paths are opened, and a named pipe is not waited for', async () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const store of [pipe, folder, '/dev/zero', '/etc/passwd']) {
    await expect(describe(store)).rejects.toThrow(`${store} is not a fleet of Flamebench`);
  }
  await expect(describe('fleet.duckdb')).rejects.toThrow('is not an absolute path');
  await expect(describe(path.join(folder, 'none'))).rejects.toMatchObject({ code: 'not-found' });
});

test('a window connects only to the server that the environment names', async () => {
  vi.stubEnv('FLAMEBENCH_FLEET', 'clickhouses://db.invalid/fleet');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  for (const store of [
    'clickhouses://other.invalid/fleet',
    'clickhouse://db.invalid/fleet',
    'clickhouses://db.invalid/other',
  ]) {
    await expect(describe(store)).rejects.toThrow('Windows open only the server that FLAMEBENCH_FLEET names');
  }
  await expect(describe('clickhouses://ada:pw@db.invalid/fleet')).rejects.toThrow('must not contain a user');
  await expect(describe('clickhouses://db.invalid:8443/fleet')).rejects.toThrow('the client of ClickHouse');
});

test('without DuckDB, the remedy is the line that installs it', async () => {
  const file = path.join(folder, 'fleet.duckdb');
  writeFileSync(file, '\0\0\0\0\0\0\0\0DUCK');
  await expect(describe(file)).rejects.toMatchObject({
    message: 'DuckDB, which fleet needs, is not installed',
    remedy: expect.stringContaining('npm install -g @duckdb/node-api') as string,
  });
});
