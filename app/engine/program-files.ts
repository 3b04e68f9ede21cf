import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The checkout's or the package's folder: this module runs from `app/engine` and, bundled, from `dist/engine`. */
export const PROGRAM_FOLDER = resolve(import.meta.dirname, '..', '..');

/** The built page. `FLAMEBENCH_RENDERER` names another build of it (that for an old Electron in the smoke test). */
export function rendererFolder(): string {
  return resolve(process.env['FLAMEBENCH_RENDERER'] ?? join(PROGRAM_FOLDER, 'dist', 'renderer'));
}

export const isRendererBuilt = (): boolean => existsSync(join(rendererFolder(), 'index.html'));

/** The bundled captures. */
export const SAMPLES_FOLDER = join(PROGRAM_FOLDER, 'samples', 'profiles');
