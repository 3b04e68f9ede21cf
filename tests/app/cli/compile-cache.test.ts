import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeCacheFolder } from '../../../collectors/effects/write.ts';
import { LAUNCHER } from '../../support/run-cli.ts';

const isRoot = process.getuid?.() === 0;

let folder: string;
let home: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-cache-'));
  home = join(folder, 'home');
  cache = join(home, '.cache', 'flamebench', 'compile-cache');
  mkdirSync(home);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(): void {
  const env = { PATH: process.env['PATH'], HOME: home, FLAMEBENCH_CONFIG: join(folder, 'config') };
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'formats'], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('is private and used', () => {
  run();
  expect(modeOf(cache)).toBe(0o700);
  expect(readdirSync(cache)).not.toEqual([]);
});

it('may be behind a link of the user’s own cache folder', () => {
  mkdirSync(join(folder, 'disk'));
  symlinkSync('../disk', join(home, '.cache'));
  run();
  expect(readdirSync(cache)).not.toEqual([]);
});

it.each([['compile-cache'], ['flamebench']])('is not used if %s is a link, and nothing behind it changes', (name) => {
  const [mine, path] = [join(folder, 'mine'), name === 'flamebench' ? join(cache, '..') : cache];
  mkdirSync(join(mine, 'compile-cache'), { recursive: true });
  chmodSync(mine, 0o755);
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(mine, path);
  run();
  expect([modeOf(mine), readdirSync(mine), readdirSync(join(mine, 'compile-cache'))]).toEqual([
    0o755,
    ['compile-cache'],
    [],
  ]);
});

it('is not used if others could have put code into it', () => {
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, 0o777);
  run();
  expect([modeOf(cache), readdirSync(cache)]).toEqual([0o777, []]);
});

it.runIf(isRoot).each([
  ['without a cache', []],
  ['with a cache', ['.cache', '.cache/flamebench', '.cache/flamebench/compile-cache']],
])('root leaves a home of another user as it is: %s', async (_what, folders) => {
  for (const name of folders) mkdirSync(join(home, name), { mode: 0o700 });
  for (const name of ['', ...folders]) chownSync(join(home, name), 4711, 4711);
  const names = readdirSync(home, { recursive: true });
  run();
  await expect(makeCacheFolder(join(home, '.cache', 'debuginfod_client'), 'ab')).rejects.toThrow(
    'belongs to another user',
  );
  expect(readdirSync(home, { recursive: true })).toEqual(names);
});

it.runIf(isRoot)('root does not follow another user’s link to a folder of root', async () => {
  const mine = join(folder, 'mine');
  mkdirSync(mine);
  writeFileSync(join(mine, 'file'), '');
  symlinkSync(mine, join(home, '.cache'));
  for (const path of [home]) chownSync(path, 4711, 4711);
  run();
  await expect(makeCacheFolder(join(home, '.cache'), 'ab')).rejects.toThrow('belongs to another user');
  expect(readdirSync(mine)).toEqual(['file']);
});

it('debug information is kept in folders of the user, not behind links', async () => {
  const base = join(home, 'a', 'debuginfod_client');
  expect(await makeCacheFolder(base, 'ab')).toBe(join(base, 'ab'));
  expect(await makeCacheFolder(base, 'ab')).toBe(join(base, 'ab'));
  expect(modeOf(join(base, 'ab'))).toBe(0o700);
  symlinkSync('ab', join(base, 'cd'));
  await expect(makeCacheFolder(base, 'cd')).rejects.toThrow('is not a folder of this user');
});
