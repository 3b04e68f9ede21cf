import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readSourceFile } from '#app/engine/source/source-file.ts';
import { findNamedFile, openNamedFile } from '#collectors/target/named-file.ts';
import { mounting, tempFolder } from '../../app/engine/support/temp-folder.ts';
import { needing } from '../../support/needing.ts';

// Files share modules: those that other files loaded have the real functions, and must not get these.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

/** Path resolution that returns each name unchanged, as it was before somebody replaced a folder by a link. */
vi.mock('node:fs', async (original) => ({ ...(await original<object>()), realpathSync: (name: string) => name }));
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<object>()),
  realpath: (name: string) => Promise.resolve(name),
}));

describe('a folder replaced after its links were followed', () => {
  test('does not lead to a file of the kernel', () => {
    const replaced = join(tempFolder(), 'replaced');
    symlinkSync('/proc', replaced);
    expect(readFileSync(join(replaced, 'version'), 'utf8')).not.toBe('');
    expect(openNamedFile(join(replaced, 'version'))).toBeNull();
    expect(openNamedFile(join(replaced, 'self/environ'))).toBeNull();
  });

  test('leads to the opened file, by its own name', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other/lib.so'), 'x');
    symlinkSync('other', join(folder, 'replaced'));
    const found = openNamedFile(join(folder, 'replaced/lib.so'))!;
    closeSync(found.descriptor);
    expect(found.path).toBe(join(folder, 'other/lib.so'));
  });

  test('does not read a source name that links to a file of another kind', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'id_rsa'), 'secret');
    symlinkSync('id_rsa', join(folder, 'link.c'));
    const read = readSourceFile({ file: join(folder, 'link.c'), profiledAt: null, host: null, folder: null });
    await expect(read).rejects.toMatchObject({ code: 'source-unreadable' });
  });
});

needing(mounting, () => {
  test('refuses a kernel file system wherever it is mounted', () => {
    const folder = tempFolder();
    execFileSync('mount', ['-t', 'proc', 'proc', folder]);
    onTestFinished(() => {
      execFileSync('umount', [folder]);
    });
    expect(findNamedFile(join(folder, 'version'))).toBeNull();
    expect(findNamedFile(join(folder, 'kcore'))).toBeNull();
  });
});
