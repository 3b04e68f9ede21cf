import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLibrary } from '#app/engine/library/library.ts';
import { storageFailure } from '#app/engine/failure.ts';
import { chunksOf } from '../support/bytes.ts';
import { containing, matching, oneLine } from '../support/matching.ts';
import { needing } from '../../../support/needing.ts';
import { mounting, mountTmpfs, remountReadOnly, tempFolder } from '../support/temp-folder.ts';
import { noteOf } from '../../../support/note.ts';

const MIB = 1 << 20;

needing(mounting, () => {
  test('a disk that fills while recording is reported with a remedy, and everything that fits is kept', async () => {
    const disk = mountTmpfs(MIB);
    const library = await openLibrary(join(disk, 'library'));
    const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
    let fitted = 0;
    const fill = async (): Promise<void> => {
      for (; fitted < 100; fitted++) await writer.append('raw.txt', Buffer.alloc(16 << 10, 'x'));
    };
    await expect(fill()).rejects.toMatchObject({
      code: 'disk-full',
      message: containing(`the disk of ${hostname()} is full`),
      remedy: containing('FLAMEBENCH_LIBRARY'),
    });
    const finished = await writer.finish({ state: 'finished', incomplete: true });
    expect(finished.sizeBytes).toBeGreaterThanOrEqual(fitted * (16 << 10));
    expect(await library.get(writer.id)).toEqual(finished);
    expect(readFileSync(join(writer.folder, 'raw.txt'))).toHaveLength(finished.sizeBytes);
  });

  test('an import to a full disk leaves nothing behind, and the library stays usable', async () => {
    const disk = mountTmpfs(MIB);
    const library = await openLibrary(join(disk, 'library'));
    const kept = await library.importFile('small.folded', chunksOf('main 1\n'));
    const big = 'x'.repeat(MIB / 4);
    await expect(library.importFile('big', chunksOf(big, big, big, big))).rejects.toMatchObject({ code: 'disk-full' });
    expect(await library.saveCache(kept.id, chunksOf(big, big, big, big))).toBe(false);
    expect(readdirSync(join(disk, 'library', '.tmp'))).toEqual([]);
    expect(await library.list()).toMatchObject({ captures: [{ id: kept.id }], damaged: [] });
    expect(await library.rename(kept.id, 'renamed')).toMatchObject({ name: 'renamed' });
  });

  test('a read-only library lists and opens, and explains why it cannot write', async () => {
    const disk = mountTmpfs(MIB);
    const library = await openLibrary(join(disk, 'library'));
    const { id } = await library.importFile('a.folded', chunksOf('main 1\n'));
    const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
    remountReadOnly(disk);
    const reopened = await openLibrary(library.path, { recover: () => Promise.resolve({}) });
    expect((await reopened.list()).captures).toHaveLength(2);
    expect(await reopened.openFile(id)).toMatchObject({ size: 7 });
    const refused = { code: 'read-only', remedy: oneLine };
    await expect(reopened.rename(id, 'x')).rejects.toMatchObject(refused);
    await expect(reopened.trash(id)).rejects.toMatchObject(refused);
    await expect(reopened.editNotes(id, { put: [noteOf('x')], remove: [] })).rejects.toMatchObject(refused);
    await expect(reopened.importFile('b', chunksOf('b'))).rejects.toMatchObject(refused);
    expect(await reopened.saveCache(id, chunksOf('x'))).toBe(false);
    await expect(writer.append('raw.txt', Buffer.from('x'))).rejects.toMatchObject(refused);
  });
});

test('a library that cannot be created still lists, and importing explains why', async () => {
  const library = await openLibrary('/proc/flamebench/library');
  expect(await library.list()).toEqual({ captures: [], damaged: [] });
  await expect(library.importFile('a', chunksOf('a'))).rejects.toMatchObject({
    code: matching(/storage|read-only/),
    message: containing('/proc/flamebench'),
  });
});

test('appending to a full device reports it', async () => {
  const library = await openLibrary(join(tempFolder(), 'library'));
  const writer = await library.create({ name: 'x', origin: 'recorded', primaryFile: 'raw.txt', state: 'recording' });
  symlinkSync('/dev/full', join(writer.folder, 'raw.txt'));
  await expect(writer.append('raw.txt', Buffer.from('x'))).rejects.toMatchObject({ code: 'disk-full' });
  await writer.discard();
});

test('a library that can’t be read is refused, not taken for an empty one', async () => {
  const folder = tempFolder();
  symlinkSync('loop', join(folder, 'loop'));
  const refused = { code: 'library-unreadable', message: containing('(ELOOP)'), remedy: oneLine };
  await expect(openLibrary(join(folder, 'loop'))).rejects.toMatchObject(refused);
  await expect(openLibrary('/dev/null/library')).rejects.toMatchObject({ message: containing('(ENOTDIR)') });
});

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])('reports %s in one line with a remedy', (code) => {
  const error = Object.assign(new Error(`${code}: cause`), { code });
  const failure = storageFailure(error, 'write /somewhere');
  expect(failure.message).toMatch(/^Can't write \/somewhere: [^\n]+$/);
  expect(failure.remedy).toMatch(/^[^\n]+\.$/);
});
