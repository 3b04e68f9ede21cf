import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSourceFile, type NamedSource } from '#app/engine/source/source-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const named = (file: string, change: Partial<NamedSource> = {}): NamedSource => ({
  file,
  profiledAt: null,
  host: null,
  folder: null,
  ...change,
});

const refusal = async (file: string, change: Partial<NamedSource> = {}): Promise<string> => {
  try {
    await readSourceFile(named(file, change));
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  return 'read';
};

function writeSource(name: string, content: string | Uint8Array): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

test('splits lines at any line end', async () => {
  const path = writeSource('a.c', 'int a;\r\nint b;\n\nint c;');
  expect(await readSourceFile(named(path))).toMatchObject({ file: path, lines: ['int a;', 'int b;', '', 'int c;'] });
  const latin1 = writeSource('b.c', Buffer.from('// gr\xf6\xdfe', 'latin1'));
  expect((await readSourceFile(named(latin1))).lines).toEqual(['// größe']);
});

test('warns of a file that may be another version', async () => {
  const path = writeSource('a.go', 'x');
  utimesSync(path, 1000, 1000);
  const warnings = async (change: Partial<NamedSource>): Promise<string[]> =>
    (await readSourceFile(named(path, { host: hostname(), profiledAt: 2_000_000, ...change }))).warnings;
  expect(await warnings({})).toEqual([]);
  expect(await warnings({ profiledAt: 999_000 })).toEqual([expect.stringContaining('was changed after')]);
  expect(await warnings({ profiledAt: null })).toEqual([expect.stringContaining('doesn’t say when')]);
  expect(await warnings({ host: 'web-1' })).toEqual([expect.stringContaining('made on web-1')]);
});

test('does not read files that are not source code, whatever the path', async () => {
  const folder = tempFolder();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('id_rsa'), 'secret');
  symlinkSync(at('id_rsa'), at('link.c'));
  symlinkSync('/proc/self/environ', at('environ.c'));
  symlinkSync(at('loop.c'), at('loop.c'));
  mkdirSync(at('folder.c'));
  execFileSync('mkfifo', [at('fifo.c')]);
  writeFileSync(at('binary.c'), 'a\0b');
  writeFileSync(at('huge.c'), Buffer.alloc(4 * 1024 * 1024 + 1, 'x'));
  for (const file of [
    '/etc/shadow',
    '/etc/passwd',
    at('id_rsa'),
    at('link.c'),
    at('environ.c'),
    at('folder.c'),
    at('fifo.c'),
    at('binary.c'),
    '/dev/zero',
    '/proc/self/mem',
    `${folder}/a\n.c`,
    `/${'x/'.repeat(3000)}a.c`,
    '\0.c',
  ]) {
    expect([file, await refusal(file)]).toEqual([file, 'source-refused']);
  }
  expect(await refusal(at('huge.c'))).toBe('source-too-large');
  expect(await refusal(at('loop.c'))).toBe('source-unreadable');
});

test('reports missing and unnamed files', async () => {
  expect(await refusal('')).toBe('source-unknown');
  expect(await refusal('/nowhere/a.c')).toBe('source-missing');
  expect(await refusal('hot.c')).toBe('source-relative');
  expect(await refusal('../../hot.c')).toBe('source-relative');
});

test('resolves relative names in the folder given', async () => {
  const path = writeSource('hot.c', 'x');
  expect(await refusal('hot.c', { folder: join(path, '..') })).toBe('read');
  expect(await refusal('b.c', { folder: join(path, '..') })).toBe('source-missing');
});
