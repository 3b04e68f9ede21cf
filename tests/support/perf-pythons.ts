import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Versions of CPython that can be prepared for perf. */
const VERSIONS = ['python3.12', 'python3.13', 'python3.14'];
const pyenv = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');

/** Name and file of those on the search path, or of pyenv, whose commands there are scripts. */
export const perfPythons = (): (readonly [name: string, file: string])[] =>
  VERSIONS.flatMap((name) => {
    const [file = name] = globSync(join(pyenv, 'versions/*/bin', name));
    return spawnSync(file, ['--version']).status === 0 ? [[name, file] as const] : [];
  });
