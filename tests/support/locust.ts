import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Need } from './needing.ts';

const VERSION = '2.47.0';

/** A virtual environment outside the checkout, so that a new clone finds it. */
const folder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'locust-for-tests',
  VERSION,
);

/** The executable, which {@link locust} has installed. */
export const LOCUST = path.join(folder, 'bin', 'locust');

export const locust: Need = {
  name: `Locust ${VERSION}`,
  present() {
    if (existsSync(LOCUST)) return true;
    mkdirSync(folder, { recursive: true });
    const run = (program: string, ...args: string[]): boolean =>
      spawnSync(program, args, { stdio: 'ignore' }).status === 0;
    return (
      run('python3', '-m', 'venv', folder) &&
      run(path.join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', `locust==${VERSION}`) &&
      existsSync(LOCUST)
    );
  },
};
