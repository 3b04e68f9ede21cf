import { isAbsolute, join, resolve } from 'node:path';
import { homeFolder } from '#collectors/home-folder.ts';

export interface PathEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/**
 * Returns the folder of settings, recent files and the last session: `$FLAMEBENCH_CONFIG`, else `flamebench` in the
 * user's configuration folder: `$XDG_CONFIG_HOME` or `~/.config` (XDG Base Directory Specification),
 * `~/Library/Application Support` on macOS, `%APPDATA%` on Windows.
 */
export function defaultConfigPath(environment: PathEnvironment = hostEnvironment()): string {
  const { env, platform, home } = environment;
  const chosen = env['FLAMEBENCH_CONFIG'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  return join(configHome(env, platform, home), 'flamebench');
}

function configHome(env: PathEnvironment['env'], platform: string, home: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const xdg = env['XDG_CONFIG_HOME'];
  // The specification requires that a relative path be ignored as invalid.
  return xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config');
}

export const hostEnvironment = (): PathEnvironment => ({
  env: process.env,
  platform: process.platform,
  home: homeFolder(),
});
