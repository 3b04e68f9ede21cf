import { homedir } from 'node:os';
import { isAbsolute, join, resolve, dirname } from 'node:path';
import { mkdir, stat } from 'node:fs/promises';
import { errorCode } from '../failure.ts';

export interface PathEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/**
 * Returns the folder of the captures: `$FLAMEBENCH_LIBRARY`, else `flamebench/library` in the user's data folder:
 * `$XDG_DATA_HOME` or `~/.local/share` (XDG Base Directory Specification), `~/Library/Application Support` on macOS,
 * `%LOCALAPPDATA%` on Windows.
 */
export function defaultLibraryPath(environment: PathEnvironment = hostEnvironment()): string {
  const { env, platform, home } = environment;
  const chosen = env['FLAMEBENCH_LIBRARY'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  return join(dataHome(env, platform, home), 'flamebench', 'library');
}

/**
 * Returns whether commands use this library unless told otherwise. `$FLAMEBENCH_LIBRARY` does not count, since the shell
 * in which a command is pasted may not have it.
 */
export function isDefaultLibrary(path: string, environment: PathEnvironment = hostEnvironment()): boolean {
  return path === defaultLibraryPath({ ...environment, env: { ...environment.env, FLAMEBENCH_LIBRARY: '' } });
}

function dataHome(env: PathEnvironment['env'], platform: string, home: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  const xdg = env['XDG_DATA_HOME'];
  // The specification requires that a relative path be ignored as invalid.
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'share');
}

const hostEnvironment = (): PathEnvironment => ({ env: process.env, platform: process.platform, home: homedir() });

/**
 * Creates a folder and its parents, private to the user. Node's `recursive` option never returns on file systems that
 * refuse new folders (/proc), and hides the reason on read-only ones.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    // Another process may have created the parent in the meantime.
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    await makeFolders(parent);
    await mkdir(path, { mode: 0o700 }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
