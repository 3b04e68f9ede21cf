import path from 'node:path';
import type { Plugin } from 'esbuild';
import { buildIfStale, buildStale, bundleShell, engineInputs, rendererInputs, vite } from '../../../scripts/build.ts';
import type { ElectronForTests } from '../electron-for-tests.ts';
import { root } from '../../../scripts/run-command.ts';

const CONFIG = 'tests/electron/old/vite.config.ts';

/** The page and the shell that an old Electron shows; the shell finds the engine two folders above it. */
export const OLD_PAGE = path.join(root, 'dist/old-electron-page');
export const OLD_SHELL = path.join(root, 'dist/old-electron');

/** Gives each of the shell's two scripts an Electron with what it lacks. */
const currentElectron: Plugin = {
  name: 'current-electron',
  setup(build) {
    build.onResolve({ filter: /^electron$/ }, ({ importer, namespace }) => {
      if (namespace !== 'file' || importer.startsWith(import.meta.dirname)) return { path: 'electron', external: true };
      return { path: path.basename(importer) === 'preload.ts' ? 'preload' : 'main', namespace: 'current-electron' };
    });
    build.onLoad({ filter: /.*/, namespace: 'current-electron' }, ({ path: part }) => ({
      contents: `module.exports = Object.setPrototypeOf({ ...require('./electron-${part}.ts') }, require('electron'));`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/** Builds what an Electron for tests starts. */
export async function buildFor({ old }: Pick<ElectronForTests, 'old'>): Promise<void> {
  await buildStale(old ? ['engine'] : ['engine', 'electron', 'renderer']);
  if (!old) return;
  await buildIfStale({
    id: path.basename(OLD_SHELL),
    inputs: [...engineInputs, 'tests/electron/old/*', 'tests/support/utility-process.ts'],
    build: () => bundleShell({ outdir: OLD_SHELL, target: 'node12.14', plugins: [currentElectron] }),
  });
  await buildIfStale({
    id: path.basename(OLD_PAGE),
    inputs: [...rendererInputs, 'tests/electron/old/*'],
    build: () => vite(CONFIG),
  });
}
