import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './build.ts';
import { LINUX_CONTENT, LINUX_PACKAGES, PACKED_PARTS, packageLinux } from './package-linux.ts';
import { root, runCommand } from './run-command.ts';
import { auditSignatures, BUNDLED, packageSbom, type Sbom } from './supply-chain.ts';

export interface PackageOptions {
  /** `dir`, an unpacked folder that can be started, or `electron`, those of electron-builder.yml. */
  readonly targets: readonly string[];
  /** Output folder; `release` by default. */
  readonly output?: string;
  /** An unpacked Electron to use instead of the one that electron-builder downloads. */
  readonly electron?: { readonly folder: string; readonly version: string };
  readonly config?: string;
}

/** The software bills of materials, next to the packages with and without Electron. */
export const ELECTRON_BILL = 'flamebench-electron.cdx.json';
const COMMAND_BILL = 'flamebench.cdx.json';
export const SUMS_FILE = 'SHA256SUMS';
export const OUTPUT = path.join(root, 'release');

const ELECTRON = 'electron';
const TARGETS: readonly string[] = ['npm', ...LINUX_PACKAGES, 'dir', ELECTRON];

/**
 * Builds and packages for this platform and writes the bill of materials. Resolves with null, or with one line if it
 * failed.
 */
export async function packageApp(options: PackageOptions): Promise<string | null> {
  const { targets, output, electron, config = 'electron-builder.yml' } = options;
  await buildStale(['renderer', 'engine', 'electron']);
  const words = [
    ...targets.filter((target) => target !== ELECTRON).map((target) => `--${target}`),
    `--config=${config}`,
    ...(output === undefined ? [] : [`-c.directories.output=${output}`]),
    ...(electron === undefined ? [] : [`-c.electronDist=${electron.folder}`, `-c.electronVersion=${electron.version}`]),
  ];
  const problem = await runCommand(['electron-builder', '--publish', 'never', ...words]);
  if (problem === null) {
    writeBill(path.join(output ?? OUTPUT, ELECTRON_BILL), packageSbom());
    return null;
  }
  return `${problem}; Electron and packaging tools are downloaded from GitHub`;
}

function writeBill(file: string, bill: Sbom): void {
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}

/** Builds the packages without Electron, with their bill of materials and checksums. */
async function packageCommand(kinds: readonly string[]): Promise<void> {
  // npm adds `main`, the shell of Electron, to every package if it is there.
  await buildStale(kinds.includes('npm') ? [...PACKED_PARTS, 'electron'] : PACKED_PARTS);
  mkdirSync(OUTPUT, { recursive: true });
  const time = sourceTime();
  const linux = LINUX_PACKAGES.filter((kind) => kinds.includes(kind));
  const files = linux.length === 0 ? [] : packageLinux({ output: OUTPUT, kinds: linux, time });
  if (kinds.includes('npm')) files.push(packNpm(OUTPUT));
  writeBill(
    path.join(OUTPUT, COMMAND_BILL),
    repeatable(packageSbom(linux.length === 0 ? BUNDLED : LINUX_CONTENT), time),
  );
  const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  const all = [...files, path.join(OUTPUT, COMMAND_BILL)];
  writeFileSync(path.join(OUTPUT, SUMS_FILE), all.map((file) => `${sumOf(file)}  ${path.basename(file)}\n`).join(''));
  for (const file of files) {
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    process.stdout.write(`npm run package: ${path.relative(root, file)}, ${megabytes} MB\n`);
  }
}

/** Replaces what npm makes anew for each bill: its time, and its serial number, which is optional. */
function repeatable({ serialNumber: _serialNumber, metadata, ...bill }: Sbom, time: number): Sbom {
  return { ...bill, metadata: { ...metadata, timestamp: new Date(time * 1000).toISOString() } };
}

/** Returns `SOURCE_DATE_EPOCH`, else the time of the last commit, in seconds since 1970. */
function sourceTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  return Number(given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

/** Packs what is built. Returns the path of the tarball. */
export function packNpm(output: string): string {
  const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', output];
  return path.join(output, execFileSync('npm', words, { cwd: root, encoding: 'utf8' }).trim());
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
    const wanted =
      positionals.length > 0 ? positionals : process.platform === 'linux' ? ['npm', ...LINUX_PACKAGES] : ['npm'];
    const unknown = wanted.filter((target) => !TARGETS.includes(target));
    if (unknown.length > 0) throw new Error(`unknown target ${unknown.join(', ')}; use ${TARGETS.join(', ')}`);
    const targets = wanted.filter((target) => target === 'dir' || target === ELECTRON);
    if (targets.length < wanted.length) await packageCommand(wanted);
    const problem =
      targets.length === 0
        ? null
        : await packageApp({
            targets,
            // An unpacked Electron is for this processor; the packages are for others too.
            ...(!targets.includes(ELECTRON) && existsSync(version)
              ? { electron: { folder, version: readFileSync(version, 'utf8').trim() } }
              : {}),
          });
    if (problem !== null) throw new Error(problem);
  } catch (error) {
    process.stderr.write(`npm run package: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
