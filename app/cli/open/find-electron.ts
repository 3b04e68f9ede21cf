import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '#collectors/effects/start-program.ts';
import { checkoutNode, PROGRAM_FOLDER } from '#app/engine/program-files.ts';
import { warn } from '../output/terminal.ts';

/** An Electron that can be started, or one line with the reason why there is none. */
type FoundElectron = { readonly executable: string } | { readonly reason: string };

interface ElectronEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The folder that contains `node_modules`. */
  readonly folder: string;
}

const hostEnvironment = (): ElectronEnvironment => ({
  env: process.env,
  platform: process.platform,
  folder: PROGRAM_FOLDER,
});

/**
 * Looks in `ELECTRON_OVERRIDE_DIST_PATH` (the electron package's own variable), then in `node_modules/electron/dist`.
 */
export function findElectron({ env, platform, folder }: ElectronEnvironment = hostEnvironment()): FoundElectron {
  if (!hasDisplay(env, platform)) return { reason: 'there is no display for Electron' };
  const given = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const place = given ?? join(folder, 'node_modules', 'electron', 'dist');
  const executable = join(place, executableName(platform));
  if (existsSync(executable)) return { executable };
  if (given !== undefined) return { reason: `ELECTRON_OVERRIDE_DIST_PATH has no Electron: ${executable} is missing` };
  return { reason: 'Electron is not installed' };
}

/**
 * Returns whether there is a display: assumed on macOS and Windows; elsewhere, X11 or Wayland set it in the
 * environment.
 */
export function hasDisplay(
  env: ElectronEnvironment['env'] = process.env,
  platform: string = process.platform,
): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((display) => display !== undefined && display !== '');
}

function executableName(platform: string): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

const PROBE_MS = 5000;
const FETCH_MS = 600_000;

/**
 * Downloads the binary of npm's electron package, which does not include it (about 100 MB, from GitHub or
 * `ELECTRON_MIRROR`). Returns null on success, else one line that says why not.
 */
export async function fetchElectron(): Promise<string | null> {
  const installer = join(PROGRAM_FOLDER, 'node_modules', 'electron', 'install.js');
  if (!existsSync(installer)) return 'the electron package is not installed';
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD'] !== undefined) return 'its download is switched off';
  const source = process.env['ELECTRON_MIRROR'] ?? 'https://github.com/';
  // Checks first whether the server answers; a network that drops packets would otherwise keep the user waiting for
  // minutes.
  const answers = await fetch(source, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) }).then(
    () => true,
    () => false,
  );
  if (!answers) return `can't reach ${URL.canParse(source) ? new URL(source).host : source} for its binary`;
  warn(`fetching Electron ${electronVersion()} (about 100 MB, once)…`);
  const child = startProgram(checkoutNode(), [installer], { stdio: 'ignore', timeout: FETCH_MS });
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
  return code === 0 ? null : 'its binary could not be fetched';
}

function electronVersion(): string {
  const manifest = readFileSync(join(PROGRAM_FOLDER, 'node_modules', 'electron', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return version;
}
