import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLocalSymbols } from '#app/engine/symbols/local-symbols.ts';
import { readOwnVdso } from '#app/engine/symbols/vdso-symbols.ts';
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

describe('names of the vdso', () => {
  const request = (change: Partial<SymbolRequest>): SymbolRequest => ({
    module: '[vdso]',
    path: '[vdso]',
    kind: 'file',
    buildId: null,
    file: null,
    reference: null,
    hostName: hostname(),
    kernel: release(),
    ...change,
  });
  const namesOf = async (change: Partial<SymbolRequest>, environment: NodeJS.ProcessEnv = {}): Promise<string[]> => {
    const table = await createLocalSymbols({ recordedBefore: after, environment })(request(change));
    const names = Array.from({ length: 4096 }, (_, at) => table?.nameAt(BigInt(at * 4)) ?? '');
    return [...new Set(names)].filter((name) => name !== '');
  };

  it('are those of the running kernel if it is the recorded one: by build id, else by host and release', async () => {
    const own = readOwnVdso();
    expect(own).not.toBeNull();
    expect((await namesOf({})).join(' ')).toMatch(/clock_gettime/);
    expect((await namesOf({ buildId: own!.buildId, hostName: null, kernel: null })).join(' ')).toMatch(/clock_gettime/);
    expect(await namesOf({ buildId: '00'.repeat(20) })).toEqual([]);
    expect(await namesOf({ kernel: '0.0.1' })).toEqual([]);
    expect(await namesOf({ hostName: 'some.other.host' })).toEqual([]);
  });

  it('are those of the copy that perf record kept in its cache', async () => {
    const buildId = 'ab'.repeat(readOwnVdso()!.buildId!.length / 2);
    const kept = join(folder, '.debug/.build-id', buildId.slice(0, 2), buildId.slice(2));
    mkdirSync(kept, { recursive: true });
    const [, from = '', to = ''] = /^(\w+)-(\w+) .*\[vdso\]$/m.exec(readFileSync('/proc/self/maps', 'latin1'))!;
    const image = Buffer.alloc(Number.parseInt(to, 16) - Number.parseInt(from, 16));
    const memory = openSync('/proc/self/mem', 'r');
    readSync(memory, image, 0, image.length, Number.parseInt(from, 16));
    closeSync(memory);
    const own = Buffer.from(readOwnVdso()!.buildId!, 'hex');
    image.fill(0xab, image.indexOf(own), image.indexOf(own) + own.length);
    writeFileSync(join(kept, 'vdso'), image);
    const names = await namesOf({ buildId, hostName: 'some.other.host' }, { HOME: folder });
    expect(names.join(' ')).toMatch(/clock_gettime/);
  });
});
