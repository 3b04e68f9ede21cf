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

test('a capture is pushed once, whatever its path and the options', async () => {
  const one = write('one.folded', 'main;parse 3\nmain;parse;read 4\nmain 1\n');
  const first = await push(one, '--host', 'web-1', '--release', '1.0');
  expect(first).toMatchObject({ code: 0, stdout: `${file}: 1 capture added, 0 already there\n` });
  const copy = write('copy.folded', readFileSync(one, 'utf8'));
  const again = await push(one, copy, '--host', 'web-2', '--release', '1.1');
  expect(again.stdout).toBe(`${file}: 0 captures added, 2 already there\n`);
  expect(again.stderr).toContain('copy.folded: already there; nothing was added');
  const { captures }: Listed = await jsonOf('list', '--captures');
  expect(captures).toMatchObject([{ name: 'one.folded', host: 'web-1', release: '1.0', samples: 8 }]);
  const top: Top = await jsonOf('top');
  expect(top.total).toBe(8);
  expect(top.functions.map(({ name, self, total }) => [name, self, total])).toEqual([
    ['read', 4, 4],
    ['parse', 3, 7],
    ['main', 1, 8],
  ]);
});

test('sums of captures add up, and only selected ones count', async () => {
  await push(write('a.folded', 'main;a 3\n'), '--host', 'h1', '--label', 'env=prod', '--commit', 'c1');
  await push(write('b.folded', 'main;a 5\nmain;b 1\n'), '--host', 'h2', '--label', 'env=test', '--commit', 'c2');
  expect(await jsonOf('top')).toMatchObject({ total: 9 });
  expect(await jsonOf('top', '--label', 'env=prod')).toMatchObject({ total: 3 });
  expect(await jsonOf('top', '--host', 'h1', '--host', 'h2')).toMatchObject({ total: 9 });
  expect(await jsonOf('top', '--commit', 'c2')).toMatchObject({ total: 6 });
  expect(await jsonOf('list', '--captures', '--since', '2999-01-01')).toEqual({ captures: [] });
  expect(await jsonOf('list', '--captures', '--until', '2999-01-01')).toMatchObject({ captures: [{}, {}] });
});

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

const HOSTILE = [
  `'; DROP TABLE captures; --`,
  '__proto__',
  'constructor',
  '"quoted" $1 \\',
  '\u202Egnp.exe',
  '<img src=x onerror=alert(1)>',
  'nul\u0000byte',
  'x'.repeat(1_000_000),
];

test('hostile names are stored, found and compared as they are', { timeout: 60_000 }, async () => {
  for (const [place, text] of HOSTILE.entries()) {
    const own = text.replaceAll(';', ',');
    const profile = write(`${place}.folded`, `main;${own} ${place + 2}\nmain 1\n`);
    const fields = [
      '--service',
      text,
      '--release',
      text,
      '--commit',
      text,
      '--host',
      text,
      '--label',
      `${text}=${text}`,
    ];
    // A command line contains no NUL, but it is what the names of a profile may contain.
    const run = await push(profile, ...(text.includes('\0') ? ['--host', 'nul'] : fields), '--redact', 'none');
    expect(run.code, text.slice(0, 40)).toBe(0);
  }
  const { captures }: Listed = await jsonOf('list', '--captures');
  expect(captures).toHaveLength(HOSTILE.length);
  expect(captures.map(({ host }) => host).filter((host) => host !== 'nul')).toEqual(
    HOSTILE.filter((text) => !text.includes('\0')),
  );
  for (const [place, text] of HOSTILE.entries()) {
    const own = text.replaceAll(';', ',');
    const found: { functions: { name: string; total: number }[] } = await jsonOf('search', own.slice(0, 100_000));
    expect(found.functions).toMatchObject([{ name: own, total: place + 2 }]);
    if (text.includes('\0')) continue;
    const label = text.includes('=') ? [] : ['--label', `${text}=${text}`];
    const top: Top = await jsonOf('top', '--release', text, '--host', text, '--service', text, ...label);
    expect(top.total, text.slice(0, 40)).toBe(place + 3);
  }
  const table = await fleet('list', '--captures');
  expect(table.stdout).not.toContain('\u202E');
  expect(table.stdout).not.toContain('\0');
  expect(table.stdout.length).toBeLessThan(10_000);
});

test('names of users and hosts are replaced before anything is stored, and labels with secrets', async () => {
  const one = write('one.folded', 'main;/home/ada/build/app.so 3\nmain;poll_db-eu7 2\n');
  const run = await push(one, '--host', 'db-eu7', '--label', 'token=ghp_0123456789abcdefghij', '--label', 'env=prod');
  expect(run.stderr).toContain('home replaced by user-1');
  const { captures }: Listed = await jsonOf('list', '--captures');
  expect(captures[0]).toMatchObject({ host: 'db-eu7', labels: { token: '‹redacted›', env: 'prod' } });
  const { functions }: Top = await jsonOf('top');
  expect(functions.map(({ name }) => name).sort()).toEqual(['/home/user-1/build/app.so', 'main', 'poll_host-1']);
  const bytes = readFileSync(file);
  for (const secret of ['ada/build', 'poll_db', 'ghp_0123']) expect(bytes.includes(secret), secret).toBe(false);
});

test('addresses of servers are refused without repeating their password', async () => {
  const one = write('one.folded', 'main 1\n');
  const run = await callCli(['fleet', 'push', one, '--to', 'clickhouse://user:pw@host/db']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('servers are not supported');
  expect(run.stderr).not.toContain('pw');
});
