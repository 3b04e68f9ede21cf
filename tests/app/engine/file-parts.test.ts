import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fileParts } from '#app/engine/files/file-parts.ts';
import { fileSource } from '#app/engine/files/file-source.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { writeNative } from '#core/model/native-file.ts';
import { sampleText } from '../../support/perf-script-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'flamebench-parts-'));
const path = join(folder, 'large.txt');
/** Just above the size from which inputs are split. */
const BYTES = 33 * 2 ** 20;

describe('a file read by two threads', () => {
  beforeAll(() => {
    const block = Array.from({ length: 1000 }, (_, at) =>
      sampleText(`worker ${at % 7}/${at % 11} ${at + 5}.000001: ${at} cycles:`, `f${at % 97}`),
    ).join('');
    writeFileSync(path, block.repeat(Math.ceil(BYTES / block.length)));
  });
  beforeEach(() => {
    vi.stubEnv('FLAMEBENCH_THREADS', '2');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is the same as by one', async () => {
    const progress: number[] = [];
    const onProgress = (readBytes: number): unknown => progress.push(readBytes);
    const one = await importProfile(fileSource(path));
    const two = await importProfile(fileSource(path), { onProgress, startPartReader: () => createReader() });
    expect(Buffer.concat(writeNative(two)).equals(Buffer.concat(writeNative(one)))).toBe(true);
    expect(parts).toEqual(['part']);
    expect(progress.at(-1)).toBe(fileSource(path).size);
  });

  test('small memory comes before speed: no part of the largest files, of streams, or where two threads were not asked for', () => {
    expect(fileParts(path, 2 ** 29)).toBeUndefined();
    expect(fileParts(path, null)).toBeUndefined();
    expect(fileParts('-', BYTES)).toBeUndefined();
    vi.stubEnv('FLAMEBENCH_THREADS', undefined);
    expect(fileParts(path, BYTES)).toBeUndefined();
  });

  test('the thread answers with nothing where the file can not be read, and where it is stopped', async () => {
    const missing = fileParts(join(folder, 'missing.txt'), BYTES)!();
    expect(await missing.read('perf-script', 0, 10, () => undefined)).toBeNull();
    const stopped = fileParts(path, BYTES)!();
    const answer = stopped.read('perf-script', 0, BYTES, () => undefined);
    stopped.stop();
    expect(await answer).toBeNull();
  });
});

const parts: string[] = [];

/** The real one, noting what came of it. */
function createReader() {
  const reader = fileParts(path, BYTES)!();
  return {
    ...reader,
    read: async (...args: Parameters<typeof reader.read>) => {
      const part = await reader.read(...args);
      parts.push(part === null ? 'nothing' : 'part');
      return part;
    },
  };
}
