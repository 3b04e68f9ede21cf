import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

vi.mock('@duckdb/node-api', () => {
  throw new Error('Cannot find package');
});

const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-without-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('one line says how to install DuckDB, and nothing is written', async () => {
  const file = path.join(folder, 'fleet.duckdb');
  const capture = path.join(folder, 'one.folded');
  writeFileSync(capture, 'main 1\n');
  const run = await callCli(['fleet', 'push', capture, '--to', file]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /^flamebench: DuckDB, which fleet needs, is not installed; npm install -g @duckdb\/node-api[^\n]*\n$/,
  );
  expect(existsSync(file)).toBe(false);
});

test('nothing loads DuckDB before a fleet is opened', async () => {
  expect(await callCli(['fleet', 'diff', '--help'])).toMatchObject({ code: 0, stderr: '' });
  const run = await callCli(['fleet', 'list', '--in', path.join(folder, 'none.duckdb')]);
  expect(run.stderr).toContain('there is no fleet at');
});
