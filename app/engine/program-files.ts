import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the checkout or package; this module runs from `app/engine` or, bundled, from `dist/engine`. */
export const PROGRAM_FOLDER = resolve(import.meta.dirname, '..', '..');

/** Whether it is a checkout, which builds what is missing and fetches Electron; a package is complete. */
export const IS_CHECKOUT = existsSync(join(PROGRAM_FOLDER, 'scripts', 'build.ts'));

/** Returns the Node for a checkout's scripts, which is newer than the one that a package needs. */
export function checkoutNode(): string {
  const installed = join(PROGRAM_FOLDER, 'node_modules', 'node', 'bin', 'node');
  return existsSync(installed) ? installed : process.execPath;
}

/** Returns the folder of the built page; `FLAMEBENCH_RENDERER` selects another build. */
export function rendererFolder(): string {
  return resolve(process.env['FLAMEBENCH_RENDERER'] ?? join(PROGRAM_FOLDER, 'dist', 'renderer'));
}

export const isRendererBuilt = (): boolean => existsSync(join(rendererFolder(), 'index.html'));

/** Folder of the bundled captures. */
export const SAMPLES_FOLDER = join(PROGRAM_FOLDER, 'samples', 'profiles');
