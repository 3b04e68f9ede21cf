import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the checkout or package; this module runs from `app/engine` or, bundled, from `dist/engine`. */
export const PROGRAM_FOLDER = resolve(import.meta.dirname, '..', '..');

/**
 * Returns the folder of the built page. `FLAMEBENCH_RENDERER` selects another build, such as that for an old Electron
 * in the smoke test.
 */
export function rendererFolder(): string {
  return resolve(process.env['FLAMEBENCH_RENDERER'] ?? join(PROGRAM_FOLDER, 'dist', 'renderer'));
}

export const isRendererBuilt = (): boolean => existsSync(join(rendererFolder(), 'index.html'));

/** Folder of the bundled captures. */
export const SAMPLES_FOLDER = join(PROGRAM_FOLDER, 'samples', 'profiles');
