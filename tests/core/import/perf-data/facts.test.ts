import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PerfDataFactsReader, type PerfDataFacts } from '#core/import/perf-data/facts.ts';
import { unwrappedChunks } from '#core/import/unpack/unwrapped-chunks.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../fixtures/import/perf-data/${name}`, import.meta.url));

function factsOf(bytes: Uint8Array, size = bytes.length): PerfDataFacts {
  const reader = new PerfDataFactsReader();
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
  return reader.finish();
}

const made: Partial<PerfDataFacts> = { hostName: 'build-7', arch: 'x86_64', perfVersion: '6.1.187', isCut: false };

test('describes a file and a stream, however they arrive', () => {
  for (const size of [1, 7, 4096]) {
    const file = factsOf(fixture('file.perf.data'), size);
    expect(file).toMatchObject({ ...made, isStream: false, hasTimes: true, hasCpus: true, hasUserStacks: false });
    const stream = factsOf(fixture('pipe.perf.data'), size);
    expect(stream).toMatchObject({ ...made, isStream: true, samples: file.samples });
  }
  expect(factsOf(fixture('file.perf.data')).samples).toBeGreaterThan(3);
  expect(factsOf(fixture('big-endian.perf.data'))).toMatchObject({ isStream: false, isCut: false });
});

test('recognises a truncated file', () => {
  const bytes = fixture('file.perf.data');
  const cut = bytes.subarray(0, bytes.length >> 1);
  expect(factsOf(cut)).toMatchObject({ isCut: true, isStream: false });
  expect(() => factsOf(bytes.subarray(0, 50))).toThrow(/ends within its header/);
});

test('refuses what is not perf.data', () => {
  expect(() => factsOf(Buffer.from('app 7 1.000: 1 cycles:\n'))).toThrow('perf.data starts with PERFILE2');
  expect(() => factsOf(Buffer.from('PERFILE2'))).toThrow(/ends within its header/);
});

async function join(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return Buffer.concat(all);
}

async function* cutInto(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Promise.resolve(bytes.slice(at, at + size));
}

test('yields bytes without compression', async () => {
  const bytes = fixture('file.perf.data');
  const zipped = gzipSync(bytes);
  for (const size of [1, 1000, zipped.length]) {
    expect((await join(unwrappedChunks(cutInto(zipped, size)))).equals(bytes)).toBe(true);
    expect((await join(unwrappedChunks(cutInto(bytes, size)))).equals(bytes)).toBe(true);
  }
  await expect(join(unwrappedChunks(cutInto(zipped.subarray(0, -9), 64)))).rejects.toThrow(/is truncated/);
});
