import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { findCommand } from '../../scripts/components.mjs';
import type { Need } from './needing.ts';

/** A Debian with a few packages and nothing of this machine. */
export interface CleanRoot {
  /** Its root folder. */
  readonly folder: string;
  /** The words that run a command in it, with its own mounts and processes' folder. */
  argv(...command: readonly string[]): string[];
  /** Runs a command to its end, and returns what it printed. */
  run(...command: readonly string[]): string;
  start(...command: readonly string[]): ChildProcess;
  close(): void;
}

const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'flamebench');

interface System {
  readonly suite: string;
  readonly packages: string;
}

/** Debian 12 with perf. */
const BOOKWORM: System = { suite: 'bookworm', packages: 'linux-perf' };
/** Debian 13 with CPython 3.13. */
export const TRIXIE: System = { suite: 'trixie', packages: 'python3-minimal' };

const imageOf = ({ suite }: System): string => path.join(cache, `clean-root-${suite}.tar`);

const isAllowed = (): boolean => process.getuid?.() === 0;

/** Whether tests may use one: making it fetches 100 MB and takes minutes, so only `CI_FULL=1` does. */
export const hasCleanRoot = (): boolean =>
  isAllowed() && (existsSync(imageOf(BOOKWORM)) || process.env['CI_FULL'] === '1');

/** Debian 13 is made where it is missing: a hundred packages, in less than two minutes. */
export const trixie: Need = {
  name: 'root, debootstrap and Debian 13',
  present: () => isAllowed() && findCommand('debootstrap') !== null && (existsSync(imageOf(TRIXIE)) || isMade(TRIXIE)),
};

function isMade(system: System): boolean {
  try {
    makeImage(system);
    return true;
  } catch {
    // Its packages can't be fetched.
    return false;
  }
}

/** Unpacks the cached root, or makes it. Its commands have no other variables than these. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/home/tester', LC_ALL: 'C.UTF-8' };

const MOUNTS = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';

export function openCleanRoot(system = BOOKWORM): CleanRoot {
  const image = imageOf(system);
  if (!existsSync(image)) makeImage(system);
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-root-'));
  execFileSync('tar', ['-C', folder, '-xf', image]);
  mkdirSync(path.join(folder, ENVIRONMENT.HOME), { recursive: true });
  const argv = (...command: readonly string[]): string[] => [
    'unshare',
    '--mount',
    'sh',
    '-c',
    MOUNTS,
    folder,
    ...command,
  ];
  return {
    folder,
    argv,
    run(...command) {
      const [program = '', ...args] = argv(...command);
      return execFileSync(program, args, { encoding: 'utf8', env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
    },
    start(...command) {
      const [program = '', ...args] = argv(...command);
      return spawn(program, args, { env: ENVIRONMENT });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeImage(system: System): void {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'clean-root-'));
  try {
    const root = path.join(work, 'root');
    const argv = ['--variant=minbase', `--include=${system.packages}`, system.suite, root];
    execFileSync('debootstrap', argv, { stdio: 'ignore' });
    for (const name of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
      rmSync(path.join(root, name), { recursive: true });
      mkdirSync(path.join(root, name));
    }
    execFileSync('tar', ['-C', root, '-cf', path.join(work, 'root.tar'), '.']);
    renameSync(path.join(work, 'root.tar'), imageOf(system));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
