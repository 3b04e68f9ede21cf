import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderSource, isProfileFolder } from '#app/engine/files/folder-source.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';

const ZIP = readFileSync(join(import.meta.dirname, '../../fixtures/import/instruments-trace/time-profile.trace.zip'));
let top: string;
let folder: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'flamebench-folder-'));
  folder = join(top, 'größe.trace');
  for (const [name, bytes] of Object.entries(unzipSync(ZIP))) {
    const file = join(top, name);
    mkdirSync(name.endsWith('/') ? file : dirname(file), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(file, bytes);
  }
});

afterEach(() => rmSync(top, { recursive: true }));

test('reads a bundle of Instruments like its zip archive', async () => {
  expect(isProfileFolder(`${folder}/`)).toBe(true);
  expect(isProfileFolder(top)).toBe(false);
  expect(isProfileFolder(join(top, 'none.trace'))).toBe(false);
  // The target of a link is not part of the folder.
  symlinkSync('/dev/zero', join(folder, 'endless'));
  const [read, packed] = await Promise.all([importProfile(folderSource(`${folder}/`)), importProfile(byteSource(ZIP))]);
  expect(read.metadata.fileName).toMatch(/\.trace\.zip$/);
  expect({ ...read, metadata: null }).toEqual({ ...packed, metadata: null });
});

test('refuses a folder that is not such a bundle', async () => {
  const other = join(top, 'other.trace');
  mkdirSync(other);
  await expect(importProfile(folderSource(other))).rejects.toThrow('a folder without files');
  writeFileSync(join(other, 'a.txt'), 'a');
  await expect(importProfile(folderSource(other))).rejects.toThrow('a zip archive with');
});
