import path from 'node:path';
import { buildIfStale, buildStale, rendererInputs, vite } from '../../../scripts/build.ts';
import type { ElectronForTests } from '../../../scripts/electron-for-tests.ts';
import { root } from '../../../scripts/run-command.ts';

const CONFIG = 'tests/electron/old/vite.config.ts';

/** The page that an old Electron shows. */
export const OLD_PAGE = path.join(root, 'dist/old-electron');

/** Builds what an Electron for tests starts. */
export async function buildFor({ old }: Pick<ElectronForTests, 'old'>): Promise<void> {
  await buildStale(['engine', 'electron', ...(old ? [] : ['renderer'])]);
  if (!old) return;
  await buildIfStale({
    id: path.basename(OLD_PAGE),
    inputs: [...rendererInputs, 'tests/electron/old/*'],
    build: () => vite(CONFIG),
  });
}
