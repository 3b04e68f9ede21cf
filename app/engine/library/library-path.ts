import { isAbsolute, join, resolve } from 'node:path';
import { homeFolder } from '#collectors/home-folder.ts';

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

export const hostEnvironment = (): PathEnvironment => ({
  env: process.env,
  platform: process.platform,
  home: homeFolder(),
});
