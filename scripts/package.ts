import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build.ts';
import { root, runCommand } from './run-command.ts';
import { auditSignatures, packageSbom } from './supply-chain.ts';

export interface PackageOptions {
  /** Targets of electron-builder; `dir` is an unpacked folder that can be started. */
  readonly targets: readonly string[];
  /** Output folder; `release` by default. */
  readonly output?: string;
  /** An unpacked Electron to use instead of the one that electron-builder downloads. */
  readonly electron?: { readonly folder: string; readonly version: string };
}

/** The software bill of materials, included in the package. */
export const SBOM_FILE = 'flamebench.cdx.json';

/**
 * Builds and packages for this platform and writes the bill of materials. Resolves with null, or with one line if it
 * failed.
 */
export async function packageApp(options: PackageOptions): Promise<string | null> {
  const { targets, output, electron } = options;
  await buildStale(['renderer', 'engine', 'electron']);
  const words = [
    ...targets.map((target) => `--${target}`),
    ...(output === undefined ? [] : [`-c.directories.output=${output}`]),
    ...(electron === undefined ? [] : [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`]),
  ];
  const problem = await runCommand(['electron-builder', '--publish', 'never', ...words]);
  if (problem === null) {
    const file = path.join(output ?? path.join(root, 'release'), SBOM_FILE);
    writeFileSync(file, `${JSON.stringify(packageSbom(), null, 2)}\n`);
    return null;
  }
  return `${problem}; Electron and packaging tools are downloaded from GitHub`;
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const folder = path.join(root, 'node_modules', 'electron', 'dist');
  const version = path.join(folder, 'version');
  try {
    const signatures = auditSignatures();
    if (signatures.kind === 'broken') throw new Error(`the registry's signatures don't fit; ${signatures.reason}`);
    const outcome = signatures.kind === 'verified' ? 'verified' : `not checked: ${signatures.reason}`;
    process.stdout.write(`npm run package: signatures of the installed packages: ${outcome}\n`);
    const problem = await packageApp({
      targets: positionals.length > 0 ? positionals : ['dir'],
      ...(existsSync(version) ? { electron: { folder, version: readFileSync(version, 'utf8').trim() } } : {}),
    });
    if (problem !== null) throw new Error(problem);
  } catch (error) {
    process.stderr.write(`npm run package: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
