import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScript } from '#collectors/read-script.ts';
import { findCommand } from '../../../scripts/components.mjs';
import { tempFolder } from '../../app/engine/support/temp-folder.ts';

const script = readScript(new URL('../../../collectors/stap/place-file.sh', import.meta.url));
const SHELLS = [['dash'], ['bash', '--norc', '--posix'], ['busybox', 'sh']].filter(
  ([shell = '']) => findCommand(shell) !== null,
);

/** Returns a folder with the script's root in it, which has the file `copy`. */
function rootFolder(): { readonly folder: string; readonly root: string } {
  const folder = tempFolder();
  const root = join(folder, 'root');
  mkdirSync(root, { mode: 0o700 });
  writeFileSync(join(root, 'copy'), 'of the target');
  return { folder, root };
}

describe.each(SHELLS)('in %s', (...shell) => {
  const place = (root: string, path: string): string | null => {
    const [program, ...args] = [...shell, '-c', script, 'flamebench', root, path, 'copy'];
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    return status === 0 ? null : stderr;
  };

  test('a file gets to its path below the root, whatever its name, in folders of this user alone', () => {
    const { root } = rootFolder();
    const paths = ['usr/lib/libc.so.6', 'usr/lib/-rf', '-n/* ?', '$(id)/`id`/"\'\\', '..a/b ', 'top'];
    for (const path of paths) {
      writeFileSync(join(root, 'copy'), path);
      expect(place(root, path)).toBeNull();
      expect(readFileSync(join(root, path), 'utf8')).toBe(path);
    }
    expect(statSync(join(root, 'usr/lib')).mode & 0o777).toBe(0o700);
    expect(readdirSync(root).toSorted()).toEqual(['$(id)', '-n', '..a', 'top', 'usr'].toSorted());
  });

  test('a file that is there stays', () => {
    const { root } = rootFolder();
    writeFileSync(join(root, 'lib'), 'first');
    expect(place(root, 'lib')).toBeNull();
    expect(readFileSync(join(root, 'lib'), 'utf8')).toBe('first');
    expect(readdirSync(root)).toEqual(['lib']);
  });

  test.each([
    ['a link to a folder', 'link/x', 'leads elsewhere'],
    ['a link within a folder', 'lib/modules/build/Makefile', 'leads elsewhere'],
    ['a relative link', 'up/x', 'leads elsewhere'],
    ['a link to nothing', 'nothing/x', 'leads elsewhere'],
    ['a link as the last name', 'lib/file', 'is not a file'],
    ['a path with ..', '../outside/x', 'leads elsewhere'],
    ['a path with .. within', 'lib/../../outside/x', 'leads elsewhere'],
    ['.. as the last name', 'lib/..', 'is not a file'],
    ['a folder as the last name', 'lib/modules', 'is not a file'],
    ['a file as a folder', 'copy/x', 'can’t be created'],
  ])('%s leads nowhere', (_name, path, reason) => {
    const { folder, root } = rootFolder();
    const outside = join(folder, 'outside');
    mkdirSync(outside);
    mkdirSync(join(root, 'lib/modules'), { recursive: true });
    symlinkSync(outside, join(root, 'link'));
    symlinkSync(outside, join(root, 'lib/modules/build'));
    symlinkSync('../outside', join(root, 'up'));
    symlinkSync(join(outside, 'new'), join(root, 'nothing'));
    symlinkSync(join(outside, 'file'), join(root, 'lib/file'));
    expect(place(root, path)).toContain(reason);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(['outside', 'root']);
    expect(existsSync(join(root, 'copy'))).toBe(false);
  });

  test.each(['755', '770', '701'])('a root with mode %s, in which others may make links, is refused', (mode) => {
    const { root } = rootFolder();
    chmodSync(root, Number.parseInt(mode, 8));
    expect(place(root, 'x')).toContain('is not this user’s alone');
    expect(readdirSync(root)).toEqual([]);
  });
});
