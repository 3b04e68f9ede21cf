import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeNative } from '#core/model/native/write.ts';
import { openLibrary, type Library } from '#app/engine/library/library.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { chunksOf } from '../support/bytes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const nativeBytes = (): Buffer => Buffer.concat(writeNative(profileFromText('main;work 3\nmain;rest 4')));

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    await Promise.resolve();
    yield bytes.subarray(start, start + size);
  }
}

async function withCapture(): Promise<{ library: Library; id: string }> {
  const library = await openLibrary(join(tempFolder(), 'library'));
  const { id } = await library.importFile('a.folded', chunksOf('main;work 3\nmain;rest 4\n'));
  return { library, id };
}

test.each([1, 7, 32, 33, 100_000])('opens a cache sent in pieces of %i bytes instead of the file', async (size) => {
  const { library, id } = await withCapture();
  const bytes = nativeBytes();
  expect(await library.saveCache(id, inPieces(bytes, size))).toBe(true);
  const opened = await library.openFile(id);
  expect(opened).toMatchObject({ cached: true, fileName: 'profile.flamebench', size: bytes.length });
  expect(readFileSync(opened.path)).toEqual(bytes);
  expect(await library.openFile(id, { ignoreCache: true })).toMatchObject({ cached: false, fileName: 'raw.folded' });
  expect(readdirSync(join(library.path, '.tmp'))).toEqual([]);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['nothing', () => Buffer.alloc(0)],
  ['a truncated header', (bytes) => bytes.subarray(0, 20)],
  ['a truncated body', (bytes) => bytes.subarray(0, -1)],
  ['bytes after the end', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
  ['a damaged body', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')])],
  ['another version', (bytes) => Buffer.concat([bytes.subarray(0, 8), Buffer.from([9]), bytes.subarray(9)])],
  ['another file', () => Buffer.from('main;work 3\n'.repeat(10))],
])('refuses %s as a cache', async (_what, damage) => {
  const { library, id } = await withCapture();
  const sent = library.saveCache(id, inPieces(damage(nativeBytes()), 50));
  await expect(sent).rejects.toMatchObject({ code: 'invalid-arguments' });
  expect(await library.openFile(id)).toMatchObject({ cached: false });
  expect(readdirSync(join(library.path, '.tmp'))).toEqual([]);
});

test('a cache states the number of samples of its capture, not of its rows', async () => {
  const { library, id } = await withCapture();
  await library.saveCache(id, inPieces(nativeBytes(), 50));
  await expect.poll(async () => (await library.get(id)).samples).toBe(7);
});

test('does not open a cache that is older than its file or was damaged on disk', async () => {
  const { library, id } = await withCapture();
  await library.saveCache(id, inPieces(nativeBytes(), 50));
  const { path } = await library.openFile(id);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, 40));
  expect(await library.openFile(id)).toMatchObject({ cached: false });
  writeFileSync(path, bytes);
  expect(await library.openFile(id)).toMatchObject({ cached: true });
  utimesSync(path, 1, 1);
  expect(await library.openFile(id)).toMatchObject({ cached: false });
});

test('keeps no cache of a running recording', async () => {
  const { library } = await withCapture();
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  expect(await library.saveCache(writer.id, inPieces(nativeBytes(), 50))).toBe(false);
  await writer.discard();
});
