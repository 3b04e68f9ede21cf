import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineFailure } from '#app/engine/failure.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import type { ByteSource } from '#core/import/importer.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-source-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function readAll(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Copied, because a source may reuse its chunk.
  for await (const chunk of source.chunks()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

test('reads a file completely, in order, and repeatedly', async () => {
  const bytes = Buffer.alloc(2_500_000, 'flame graph ');
  writeFileSync(file('large'), bytes);
  const source = fileSource(file('large'));
  expect(source).toMatchObject({ fileName: 'large', size: bytes.length });
  expect((await readAll(source)).equals(bytes)).toBe(true);
  expect((await readAll(source)).equals(bytes)).toBe(true);
});

test('reads a FIFO to its end', async () => {
  execFileSync('mkfifo', [file('fifo')]);
  const writer = spawn('sh', ['-c', 'printf "a;b 1\\n" > "$0"', file('fifo')]);
  const source = fileSource(file('fifo'));
  expect(source.size).toBe(null);
  expect((await readAll(source)).toString()).toBe('a;b 1\n');
  writer.kill();
});

test.each([
  ['missing', 'no such file'],
  ['.', 'is a folder'],
  ['plain/inside', 'part of the path is not a folder'],
  ['circle', 'its symbolic links form a loop'],
  ['x'.repeat(300), 'the name is too long'],
])('refuses %s immediately with a message', (name, reason) => {
  writeFileSync(file('plain'), '');
  rmSync(file('circle'), { force: true });
  symlinkSync('circle', file('circle'));
  expect(() => fileSource(file(name))).toThrow(EngineFailure);
  expect(() => fileSource(file(name))).toThrow(reason);
});

test('refuses an unreadable file with a message', async () => {
  writeFileSync(file('secret'), 'x');
  chmodSync(file('secret'), 0);
  // Root can read everything, so as root this runs as nobody, who must be able to reach the file.
  chmodSync(folder, 0o755);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  try {
    await expect(readAll(fileSource(file('secret')))).rejects.toThrow('no permission to read it');
  } finally {
    if (isRoot) process.seteuid?.('root');
  }
});
