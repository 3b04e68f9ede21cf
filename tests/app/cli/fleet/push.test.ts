import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';
import { LAUNCHER } from '../../../support/run-cli.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'flamebench-fleet-push-'));
  file = path.join(folder, 'fleet.duckdb');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): string => {
  const written = path.join(folder, name);
  writeFileSync(written, text);
  return written;
};
const push = (...args: string[]) => callCli(['fleet', 'push', ...args, '--to', file]);
const fleet = (...args: string[]) => callCli(['fleet', ...args, '--in', file]);
const jsonOf = async (...args: string[]) => JSON.parse((await fleet(...args, '--json')).stdout) as never;

interface Listed {
  readonly captures: {
    readonly name: string;
    readonly host: string | null;
    readonly labels: Record<string, string>;
    readonly samples: number;
    readonly release: string;
  }[];
}
interface Top {
  readonly total: number;
  readonly functions: { readonly name: string; readonly self: number; readonly total: number }[];
}

test('a push that is killed leaves whole captures, and the next one adds the others', { timeout: 60_000 }, async () => {
  const words = Array.from({ length: 12 }, (_, place) => {
    const lines = Array.from({ length: 400 }, (__, row) => `main;run${row % 20};step${row} ${place + 1}`);
    return write(`${place}.folded`, `${lines.join('\n')}\n`);
  });
  const killedAfter = (captures: number): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [LAUNCHER, 'fleet', 'push', ...words, '--to', file]);
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.split(': added').length > captures) child.kill('SIGKILL');
      });
      child.on('close', () => resolve());
    });
  for (const captures of [1, 3]) {
    await killedAfter(captures);
    const { captures: kept }: Listed = await jsonOf('list', '--captures');
    const { total }: Top = await jsonOf('top');
    expect(kept.length).toBeGreaterThanOrEqual(captures);
    expect(kept.length).toBeLessThan(words.length);
    expect(total).toBe(kept.reduce((sum, { samples }) => sum + samples, 0));
    for (const { name, samples } of kept) expect(samples).toBe(400 * (Number.parseInt(name, 10) + 1));
  }
  await push(...words);
  const { total, functions }: Top = await jsonOf('top');
  expect(total).toBe(400 * 78);
  expect(functions.find(({ name }) => name === 'main')!.total).toBe(400 * 78);
});

test('a file that is not a fleet stays as it is', async () => {
  const one = write('one.folded', 'main 1\n');
  const { text, empty } = { text: write('notes.txt', 'not a database'), empty: write('empty.duckdb', '') };
  const foreign = path.join(folder, 'foreign.duckdb');
  const instance = await DuckDBInstance.create(foreign);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE captures (id INTEGER)');
  connection.closeSync();
  instance.closeSync();
  for (const other of [text, empty, foreign, folder]) {
    const before = other === folder ? null : readFileSync(other);
    const run = await callCli(['fleet', 'push', one, '--to', other]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`${other} is not a fleet of Flamebench`);
    if (before !== null) expect(readFileSync(other).equals(before)).toBe(true);
  }
  const missing = await callCli(['fleet', 'list', '--in', path.join(folder, 'none')]);
  expect(missing.stderr).toContain('there is no fleet at');
  expect(existsSync(path.join(folder, 'none'))).toBe(false);
});

test('a link to a missing file is not followed, and a fleet that another process pushes to is in use', async () => {
  const one = write('one.folded', 'main 1\n');
  const link = path.join(folder, 'link.duckdb');
  symlinkSync(path.join(folder, 'missing.duckdb'), link);
  const linked = await callCli(['fleet', 'push', one, '--to', link]);
  expect(linked).toMatchObject({ code: 2 });
  expect(linked.stderr).toContain('is a link to a missing file');
  await push(one);
  const hold = `import { DuckDBInstance } from '@duckdb/node-api';
    await DuckDBInstance.create(process.argv[1]); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', hold, file], { cwd: import.meta.dirname });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const run = await fleet('list');
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('is in use by another process');
  } finally {
    child.kill();
  }
});

test('another version of the tables is refused by its number', async () => {
  await push(write('one.folded', 'main 1\n'));
  for (const [version, remedy] of [
    [0, 'push the captures to a new file'],
    [99, 'update Flamebench'],
  ] as const) {
    const changed = path.join(folder, `${version}.duckdb`);
    copyFileSync(file, changed);
    const instance = await DuckDBInstance.create(changed);
    const connection = await instance.connect();
    await connection.run(`UPDATE flamebench_fleet SET version = ${version}`);
    connection.closeSync();
    instance.closeSync();
    const run = await callCli(['fleet', 'list', '--in', changed]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(
      `has version ${version} of the fleet's tables; this Flamebench has version 1; ${remedy}`,
    );
  }
});

test('the file contains nothing that redaction replaced', async () => {
  const one = write('one.folded', 'main;/home/ada/build/app.so 3\nmain;poll_db-eu7 2\n');
  await push(one, '--host', 'db-eu7', '--label', 'token=ghp_0123456789abcdefghij');
  const bytes = readFileSync(file);
  expect(bytes.includes('/home/user-1/build/app.so')).toBe(true);
  for (const secret of ['ada/build', 'poll_db', 'ghp_0123']) expect(bytes.includes(secret), secret).toBe(false);
});

test.each([
  ['clickhouse://user:pw@host/db', 'must not contain a user or password'],
  ['clickhouse://pw@host:8123/db', 'must not contain a user or password'],
  ['clickhouses://host:8443/db?password=pw', 'has no options'],
  ['clickhouse://user:p@w:pw/db', 'invalid address'],
  ['clickhouse://host', 'names no database'],
  ['clickhouse://host/db;pw', 'names no database'],
  ['postgres://user:pw@host/db', 'a file of DuckDB or a database of ClickHouse'],
])('the address %s is refused without repeating what may be a password', async (address, reason) => {
  const one = write('one.folded', 'main 1\n');
  for (const args of [
    ['push', one, '--to', address],
    ['list', '--in', address],
    ['init', '--to', address],
  ]) {
    const run = await callCli(['fleet', ...args]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(reason);
    expect(run.stderr).not.toContain('pw');
  }
});
