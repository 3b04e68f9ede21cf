import { expect, test, vi } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

vi.mock('@clickhouse/client', () => {
  throw new Error('Cannot find package');
});

test('one line says how to install the client of ClickHouse', async () => {
  const run = await callCli(['fleet', 'list', '--in', 'clickhouse://localhost/fleet']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /^flamebench: the client of ClickHouse, [^\n]* is not installed; npm install -g @clickhouse\/client[^\n]*\n$/,
  );
});

test('statements are printed without the client and without a server', async () => {
  const run = await callCli(['fleet', 'init', '--to', 'clickhouse://nowhere.invalid/fleet', '--print']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('CREATE TABLE IF NOT EXISTS fleet.captures (');
});
