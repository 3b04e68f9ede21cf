import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build.ts';
import { root, runCommand } from './run-command.ts';

export interface PackageOptions {
  /** electron-builder's targets, `dir` for a folder that starts as it is. */
  readonly targets: readonly string[];
  /** More of its configuration: `output=…` under `directories` and the like, as `-c.<key>=<value>` takes it. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Builds and packages for this platform. Resolves to null, or in one line to what went wrong. */
export async function packageApp({ targets, settings }: PackageOptions): Promise<string | null> {
  await buildStale(['renderer', 'engine', 'electron']);
  const words = Object.entries(settings).map(([key, value]) => `-c.${key}=${value}`);
  const problem = await runCommand([
    'electron-builder',
    '--publish',
    'never',
    ...targets.map((target) => `--${target}`),
    ...words,
  ]);
  if (problem === null) return null;
  return `${problem}; it fetches Electron and packaging tools from GitHub where they are not on this machine yet`;
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const fetched = path.join(root, 'node_modules', 'electron', 'dist');
  try {
    const problem = await packageApp({
      targets: positionals.length > 0 ? positionals : ['dir'],
      settings: existsSync(path.join(fetched, 'version')) ? { electronDist: fetched } : {},
    });
    if (problem !== null) throw new Error(problem);
  } catch (error) {
    process.stderr.write(`npm run package: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
