import { describe, expect, test } from 'vitest';
import { importPart } from '#core/import/import-part.ts';
import { importProfile } from '#core/import/import-profile.ts';
import type { ByteSource, PartReader } from '#core/import/importer.ts';
import { writeNative } from '#core/model/native-file.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleText } from '../../support/perf-script-text.ts';

/** Just above the size from which inputs are split. */
const BYTES = 33 * 2 ** 20;
const CHUNK_BYTES = 2 ** 18;

function largeText(ending = ''): Uint8Array {
  const block = Array.from({ length: 1000 }, (_, at) =>
    sampleText(`worker ${at % 7}/${at % 11} ${at + 5}.000001: ${at} cycles:`, `f${at % 97}`),
  ).join('');
  return Buffer.concat([Buffer.from(block.repeat(Math.ceil(BYTES / block.length))), Buffer.from(ending)]);
}

function source(bytes: Uint8Array): ByteSource & { read: number } {
  const range = async function* (this: void, start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; at += CHUNK_BYTES) {
      const chunk = bytes.subarray(at, Math.min(end, at + CHUNK_BYTES));
      counted.read += chunk.length;
      yield chunk;
    }
  };
  const counted = { fileName: 'a.txt', size: bytes.length, chunks: () => range(0, bytes.length), range, read: 0 };
  return counted;
}

/** Reads at once what another thread would. */
function partReader(bytes: Uint8Array, seen: string[], fails = false): () => PartReader {
  return () => ({
    read: async (importer, start, end, onProgress) => {
      seen.push(`read ${importer}`);
      if (fails) throw new Error('no thread');
      return importPart(importer, end - start, source(bytes).range!(start, end), onProgress);
    },
    stop: () => seen.push('stop'),
  });
}

const native = (profile: Profile): Buffer => Buffer.concat(writeNative(profile));

describe('an input read in two parts', () => {
  const bytes = largeText();

  test('is the same, each byte read once, and its progress adds up', async () => {
    const whole = native(await importProfile(source(bytes)));
    const seen: string[] = [];
    const progress: number[] = [];
    const first = source(bytes);
    const onProgress = (readBytes: number): unknown => progress.push(readBytes);
    const split = await importProfile(first, { startPartReader: partReader(bytes, seen), onProgress });
    expect(native(split).equals(whole)).toBe(true);
    expect(seen).toEqual(['read perf-script', 'stop']);
    expect(first.read).toBeLessThan(bytes.length * 0.65);
    expect(progress.at(-1)).toBe(bytes.length);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test('is read by one thread where the other one fails', async () => {
    const whole = native(await importProfile(source(bytes)));
    const split = await importProfile(source(bytes), { startPartReader: partReader(bytes, [], true) });
    expect(native(split).equals(whole)).toBe(true);
  });

  test('stops both where it is cancelled', async () => {
    const seen: string[] = [];
    const onProgress = (readBytes: number): void => {
      if (readBytes > bytes.length / 2) throw new Error('cancelled');
    };
    await expect(
      importProfile(source(bytes), { startPartReader: partReader(bytes, seen), onProgress }),
    ).rejects.toThrow('cancelled');
    expect(seen.at(-1)).toBe('stop');
  });

  test('is not split where its last line has no end, or where it is no perf script', async () => {
    const seen: string[] = [];
    const cut = largeText('worker 1/1 5.0: 1 cyc');
    await importProfile(source(cut), { startPartReader: partReader(cut, seen) });
    const folded = Buffer.from('main;f;g 1\n'.repeat(3 * 2 ** 20));
    await importProfile(source(folded), { startPartReader: partReader(folded, seen) });
    expect(seen).toEqual([]);
  });
});
