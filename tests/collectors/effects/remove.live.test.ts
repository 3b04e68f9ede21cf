import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  identify,
  makeTempFolder,
  NotOurs,
  removeFileOf,
  removeFolderOf,
  removeMade,
} from '../../../collectors/effects/remove.ts';
import { isAt, openLocked } from '../../../collectors/effects/kernel-lock.ts';
import { writeAtomically, writeNew } from '../../../collectors/effects/write.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamebench-effects-'));
  await mkdir(join(folder, 'theirs'));
  await writeFile(join(folder, 'theirs', 'file'), 'theirs');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const theirs = (): Promise<string[]> => readdir(join(folder, 'theirs'));

describe('removeFolderOf', () => {
  it('deletes a tree, whatever its names, and the links in it but not what they lead to', async () => {
    const own = join(folder, 'own');
    await mkdir(join(own, 'a', 'b'), { recursive: true });
    for (const name of ['x', '-rf', 'a b', 'line\nend', '\\0057']) await writeFile(join(own, 'a', 'b', name), '');
    await writeFile(Buffer.concat([Buffer.from(`${own}/`), Buffer.from([0xff, 0xfe])]), '');
    await symlink(join(folder, 'theirs'), join(own, 'link'));
    await symlink(join(folder, 'theirs'), join(own, 'a', 'link'));
    await removeFolderOf(folder, 'own');
    expect(await readdir(folder)).toEqual(['theirs']);
    expect(await theirs()).toEqual(['file']);
  });

  it('deletes no link, no file and no other folder than the one that was made', async () => {
    await symlink('theirs', join(folder, 'link'));
    await expect(removeFolderOf(folder, 'link')).rejects.toThrow(NotOurs);
    await expect(removeFolderOf(join(folder, 'link'), 'file')).rejects.toThrow(/ELOOP|ENOTDIR/);
    await expect(removeFolderOf(join(folder, 'theirs'), 'file')).rejects.toThrow('is not a folder');
    const made = await identify(join(folder, 'theirs', 'file'));
    await expect(removeFolderOf(folder, 'theirs', made!)).rejects.toThrow('is not the folder that was made');
    expect(await theirs()).toEqual(['file']);
  });

  it('takes a missing folder for deleted', async () => {
    await expect(removeFolderOf(folder, 'none')).resolves.toBeUndefined();
  });
});

describe('removeFileOf', () => {
  it('deletes a regular file and leaves links and folders', async () => {
    await writeFile(join(folder, 'own'), '');
    await symlink('theirs/file', join(folder, 'link'));
    expect(await removeFileOf(folder, 'own')).toBe(true);
    expect(await removeFileOf(folder, 'own')).toBe(false);
    await expect(removeFileOf(folder, 'link')).rejects.toThrow('is not a regular file');
    await expect(removeFileOf(folder, 'theirs')).rejects.toThrow('is not a regular file');
  });
});

describe('removeMade', () => {
  it('leaves another file that has the name by now', async () => {
    const path = join(folder, 'map');
    await writeFile(path, 'ours');
    const made = await identify(path);
    await writeFile(join(folder, 'other'), 'theirs');
    spawnSync('mv', [join(folder, 'other'), path]);
    expect(await removeMade(path, made!)).toBe(false);
    expect(await removeMade(path, (await identify(path))!)).toBe(true);
  });
});

describe('makeTempFolder', () => {
  it('deletes what it made, once', async () => {
    const temp = await makeTempFolder('own-', folder);
    await writeFile(join(temp.path, 'file'), '');
    await temp.remove();
    await temp.remove();
    expect(await readdir(folder)).toEqual(['theirs']);
  });
});

describe('writes', () => {
  it('replaces a file, and a leftover of a crash, but follows no link', async () => {
    await writeFile(join(folder, '.document.new'), 'leftover');
    await writeAtomically(join(folder, 'document'), 'new');
    expect((await readdir(folder)).sort()).toEqual(['document', 'theirs']);
    await symlink('theirs/file', join(folder, '.document.new'));
    await expect(writeAtomically(join(folder, 'document'), 'newer')).rejects.toThrow(NotOurs);
    await symlink('theirs/file', join(folder, 'link'));
    await expect(writeNew(join(folder, 'link'), 'text')).rejects.toThrow('EEXIST');
  });
});

describe('openLocked', () => {
  it('is held by one open file at a time, in any process, until that is closed', async () => {
    const path = join(folder, 'lock');
    const first = await openLocked(path);
    expect(first.state).toBe('taken');
    expect(spawnSync('flock', ['-n', path, 'true']).status).toBe(1);
    expect(await openLocked(path)).toEqual({ state: 'held', file: null });
    expect(await isAt(path, first.file!)).toBe(true);
    await first.file!.close();
    const second = await openLocked(path);
    expect(second.state).toBe('taken');
    await rm(path);
    expect(await isAt(path, second.file!)).toBe(false);
    await second.file!.close();
  });
});
