import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface PathEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/**
 * Where captures are kept: `$FLAMEBENCH_LIBRARY`, else `flamebench/library` in the user's data folder: `$XDG_DATA_HOME` or
 * `~/.local/share` (XDG Base Directory Specification), `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows.
 */
export function defaultLibraryPath(environment: PathEnvironment = hostEnvironment()): string {
  const { env, platform, home } = environment;
  const chosen = env['FLAMEBENCH_LIBRARY'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  return join(dataHome(env, platform, home), 'flamebench', 'library');
}

function dataHome(env: PathEnvironment['env'], platform: string, home: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  const xdg = env['XDG_DATA_HOME'];
  // A relative path is invalid there and has to be ignored, says the specification.
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'share');
}

const hostEnvironment = (): PathEnvironment => ({ env: process.env, platform: process.platform, home: homedir() });
