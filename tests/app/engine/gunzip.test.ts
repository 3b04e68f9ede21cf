import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { fileSource } from '#app/engine/files/file-source.ts';
import { gunzip } from '#app/engine/files/gunzip.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import { UnwrapStage } from '#core/import/unpack/unwrap.ts';
import { ImportFailure } from '#core/model/failure.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-gunzip-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Yields the bytes in one buffer that is reused, as a file's source does. */
async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(chunkBytes, bytes.length));
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const piece = bytes.subarray(at, at + chunkBytes);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
  }
}

async function byRuntime(bytes: Uint8Array, chunkBytes = 1 << 18): Promise<Buffer | string> {
  const out: Buffer[] = [];
  try {
    for await (const chunk of gunzip(chunksOf(bytes, chunkBytes), new UnwrapMeter())) out.push(Buffer.from(chunk));
  } catch (error) {
    return failureOf(error);
  }
  return Buffer.concat(out);
}

function byCore(bytes: Uint8Array): Buffer | string {
  const out: Buffer[] = [];
  const stage = new UnwrapStage({ push: (chunk) => void out.push(Buffer.from(chunk)), end: () => undefined });
  try {
    stage.push(bytes);
    stage.end();
  } catch (error) {
    return failureOf(error);
  }
  return Buffer.concat(out);
}

function failureOf(error: unknown): string {
  if (!(error instanceof ImportFailure)) throw error;
  return error.failure;
}

const text = Buffer.from('a;b;c 3\n'.repeat(50_000) + 'Größe;日本 1\n');
const small = Buffer.from('a;b;c 3\n'.repeat(20) + 'ünïcode;frame 1\n');

test.each([
  ['one member', gzipSync(text)],
  ['stored blocks', gzipSync(text, { level: 0 })],
  ['three members, one empty', Buffer.concat([gzipSync(small), gzipSync(''), gzipSync(small)])],
  ['a thousand members', Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('a;b 1\n')))],
])('unpacks %s as the window does, in chunks of any size', async (_, packed) => {
  const expected = byCore(packed) as Buffer;
  expect(expected.length).toBeGreaterThan(0);
  for (const chunkBytes of [1 << 18, 1000, 7]) {
    if (packed.length / chunkBytes > 20_000) continue;
    expect(expected.equals((await byRuntime(packed, chunkBytes)) as Buffer), `${chunkBytes}`).toBe(true);
  }
});

test('data that is truncated anywhere is refused as in the window', async () => {
  const two = Buffer.concat([gzipSync(small), gzipSync(small)]);
  for (let length = 4; length < two.length; length++) {
    const cut = two.subarray(0, length);
    expect(await byRuntime(cut), `${length}`).toEqual(byCore(cut));
  }
});

test('data with any bit flipped, or something after its end, is refused as in the window', async () => {
  const packed = gzipSync(small);
  for (let bit = 32; bit < packed.length * 8; bit++) {
    const damaged = Buffer.from(packed);
    damaged[bit >>> 3]! ^= 1 << (bit & 7);
    const [mine, core] = [await byRuntime(damaged), byCore(damaged)];
    expect(mine === core || (mine as Buffer).equals(core as Buffer), `bit ${bit}: ${String(mine)}`).toBe(true);
  }
  for (const tail of [Buffer.alloc(1), Buffer.alloc(100), Buffer.from('more')]) {
    const packedAndMore = Buffer.concat([packed, tail]);
    for (const chunkBytes of [1 << 18, packed.length]) {
      expect(await byRuntime(packedAndMore, chunkBytes)).toBe('malformed');
    }
    expect(byCore(packedAndMore)).toBe('malformed');
  }
});

const importFile = (name: string, bytes: Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return importProfile(fileSource(path), { gunzip });
};

test('a bomb is refused at the limits of the window', async () => {
  const packed = gzipSync(Buffer.alloc(2 ** 27));
  expect(await byRuntime(packed)).toBe('too-large');
  expect(byCore(packed)).toBe('too-large');
});

describe('an import with the runtime’s gzip', () => {
  test('reads nested wrappings up to four deep, and no more', async () => {
    let packed: Uint8Array = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), small]);
    for (let depth = 0; depth < 4; depth++) packed = depth === 1 ? zstdCompressSync(packed) : gzipSync(packed);
    expect((await importFile('four.gz', packed)).samples.length).toBeGreaterThan(0);
    await expect(importFile('five.gz', gzipSync(packed))).rejects.toThrow('compressed more than 4 times over');
  });

  test('counts progress in the file’s bytes', async () => {
    const packed = gzipSync(text);
    const read: number[] = [];
    const path = join(folder, 'progress.gz');
    writeFileSync(path, packed);
    await importProfile(fileSource(path), { gunzip, onProgress: (bytes, of) => void read.push(bytes / of!) });
    expect(read.at(-1)).toBe(1);
    expect(read.every((share) => share > 0 && share <= 1)).toBe(true);
  });

  test('refuses a bomb in a bomb at the limits of the window, and closes the file', async () => {
    const path = join(folder, 'bomb.gz');
    // Each layer unpacks to less than 500 times its own size; only both together exceed it.
    const inner = gzipSync(Buffer.alloc(2 ** 21, 'a;b 1\n'));
    const packed = gzipSync(Buffer.concat(Array.from({ length: 64 }, () => inner)));
    await expect(importFile('bomb.gz', packed)).rejects.toThrow(/unpacks to more than 500 times its size/);
    const opened = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path;
        } catch {
          return false;
        }
      });
    await vi.waitUntil(() => opened().length === 0, { timeout: 10_000 });
  });

  test('passes on what the parser and the file fail at', async () => {
    await expect(importFile('text.gz', gzipSync('no profile'))).rejects.toBeInstanceOf(ImportFailure);
    await expect(importFile('cut.gz', gzipSync(text).subarray(0, -9))).rejects.toThrow(/is truncated within its first/);
    const cause = new Error('the disk failed');
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield gzipSync(text).subarray(0, 100);
      throw cause;
    };
    await expect(importProfile({ fileName: 'x', size: null, chunks }, { gunzip })).rejects.toBe(cause);
  });
});
