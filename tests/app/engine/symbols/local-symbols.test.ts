import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import type { FileIdentity, SymbolRequest } from '#core/symbols/symbols.ts';
import { encodeElf } from '../../../support/encode/elf.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-symbols-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'server');
writeFileSync(
  path,
  encodeElf({
    isWide: true,
    littleEndian: true,
    codeAddress: 0x401000,
    codeOffset: 0x1000,
    codeBytes: 256,
    symbols: [{ name: 'main', address: 0x401010, size: 32 }],
  }),
);
const { dev, ino, mtimeMs } = statSync(path, { bigint: true });
/** Decodes as glibc's major() and minor() do. */
const device = {
  major: Number(((dev >> 32n) & 0xfffff000n) | ((dev >> 8n) & 0xfffn)),
  minor: Number(((dev >> 12n) & 0xffffff00n) | (dev & 0xffn)),
};
const after = Number(mtimeMs) + 1000;

async function nameOf(file: FileIdentity | null, recordedBefore = after, hostName: string | null = null) {
  const request: SymbolRequest = {
    module: path,
    path,
    kind: 'file',
    buildId: null,
    file,
    reference: null,
    hostName,
    kernel: null,
  };
  const table = await createLocalSymbols({ recordedBefore })(request);
  return table?.nameAt(0x1020n) ?? null;
}

describe('names of a binary without a build id', () => {
  it('are taken from the same file: by device and inode, or by inode if no device is stated', async () => {
    expect(await nameOf({ ...device, inode: ino })).toBe('main');
    expect(await nameOf({ major: 0, minor: 0, inode: ino })).toBe('main');
  });

  it('are not taken from another, changed or remote file, or if nothing identifies it', async () => {
    expect(await nameOf({ ...device, inode: ino + 1n })).toBeNull();
    expect(await nameOf({ major: device.major + 1, minor: device.minor, inode: ino })).toBeNull();
    expect(await nameOf({ ...device, inode: ino }, Number(mtimeMs) - 1000)).toBeNull();
    expect(await nameOf({ ...device, inode: ino }, after, 'some.other.host')).toBeNull();
    expect(await nameOf(null)).toBeNull();
  });
});
