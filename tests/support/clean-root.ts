import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** A Debian 12 with perf and nothing of this machine. */
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
const image = path.join(cache, 'clean-root-bookworm.tar');

/** Whether tests may use one: making it fetches 100 MB and takes minutes, so only `CI_FULL=1` does. */
export const hasCleanRoot = (): boolean =>
  process.getuid?.() === 0 && (existsSync(image) || process.env['CI_FULL'] === '1');

/** Unpacks the cached root, or makes it. Its commands have no other variables than these. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/home/tester', LC_ALL: 'C.UTF-8' };

const MOUNTS = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';

export function openCleanRoot(): CleanRoot {
  if (!existsSync(image)) makeImage();
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

function makeImage(): void {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'clean-root-'));
  try {
    const root = path.join(work, 'root');
    execFileSync('debootstrap', ['--variant=minbase', '--include=linux-perf', 'bookworm', root], { stdio: 'ignore' });
    for (const name of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
      rmSync(path.join(root, name), { recursive: true });
      mkdirSync(path.join(root, name));
    }
    execFileSync('tar', ['-C', root, '-cf', path.join(work, 'root.tar'), '.']);
    renameSync(path.join(work, 'root.tar'), image);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
