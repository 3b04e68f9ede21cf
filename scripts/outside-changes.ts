import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './run-command.ts';
import { one } from './test-outcome.ts';
import type { Step } from './test-steps.ts';

/** Maximum number of entries read per folder, so that a large home costs seconds. Deeper levels are not compared. */
const MAX_ENTRIES = 100_000;
/** Maximum number of paths listed. */
const MAX_LISTED = 40;

/** An entry's mode and owner, and a file's size in bytes and time of change in ms. */
type State = string;

type Entries = ReadonlyMap<string, State>;

interface FolderState {
  /** True for a folder with the sticky bit: each entry is one program's, as in /tmp. */
  readonly isShared: boolean;
  readonly entries: Entries;
  /** Number of levels below the folder that were read; Infinity if there are no more. */
  readonly levels: number;
}

export interface OutsideState {
  readonly folders: ReadonlyMap<string, FolderState>;
  /** The other processes that ran before, by PID and start time. */
  readonly processes: ReadonlySet<string>;
  /** What they have open. */
  readonly open: readonly string[];
}

export interface OutsideOptions {
  /** The folders compared. */
  readonly folders: readonly string[];
  /** Paths below them that are not compared. */
  readonly caches: readonly string[];
  /** Only this user's entries count; null: all entries. */
  readonly uid: number | null;
}

const home = homedir();
const cacheHome = process.env['XDG_CACHE_HOME'] ?? path.join(home, '.cache');

/** What `npm test` may change outside the checkout, and why. */
const DECLARED: readonly (readonly [path: string, reason: string])[] = [
  [root, 'the checkout'],
  [path.join(cacheHome, 'flamebench'), "Flamebench's caches: an Electron, the emulated machine, bundles of the CLI"],
  [process.env['npm_config_cache'] ?? path.join(home, '.npm'), "npm's cache and logs"],
  [path.join(cacheHome, 'pip'), 'pip fetches the Electron of the smoke test'],
  [path.join(cacheHome, 'go-build'), "Go's compiled packages"],
  [path.join(home, 'go'), "Go's modules"],
  [path.join(home, '.config/go'), "Go's telemetry counters"],
  [path.join(process.env['XDG_DATA_HOME'] ?? path.join(home, '.local/share'), 'vitest'), "Vitest's token"],
  [path.join(home, '.config/chromium'), "Chromium's crash handler notes its settings"],
  [path.join(cacheHome, 'dconf'), "GTK's settings, which Firefox and Electron read"],
  [path.join(home, '.debug'), "perf's cache of binaries, by build ID"],
  [path.join(home, '.pyenv'), 'pip links its commands again'],
  [path.join(cacheHome, 'fontconfig'), 'browsers list the fonts'],
  [path.join(tmpdir(), `playwright-transform-cache-${process.geteuid?.() ?? ''}`), "Playwright's compiled tests"],
  ['/etc/cni/net.d/cni.lock', 'podman, which some tests run, locks its networks'],
  ['/tmp/.X11-unix', 'Xvfb makes this folder for its sockets and leaves it'],
  [path.join(tmpdir(), 'node-compile-cache'), "Node's compiled modules, for example npm's"],
];

const TEMPORARY = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].map((folder) => path.join(folder, path.sep));

/**
 * Returns the step that compares what is outside the checkout and the caches with what was there when this function was
 * called. In CI, where no one else uses the machine, a difference is a failure; elsewhere it is only printed, since
 * other programs run, and only files of this user count.
 */
export function outsideStep(): Step {
  const isAlone = (process.env['CI'] ?? '') !== '';
  const options: OutsideOptions = {
    folders: ['/etc', '/usr/local', home, '/root', tmpdir(), '/tmp', '/var/tmp', '/dev/shm'],
    caches: DECLARED.map(([folder]) => folder),
    uid: isAlone ? null : (process.getuid?.() ?? null),
  };
  const before = readOutside(options);
  return {
    id: 'outside',
    checks: `nothing else changed: ${[...before.folders.keys()].join(', ')}`,
    needs: [],
    run() {
      const lines = outsideChanges(before, readOutside(options, before));
      if (lines.length === 0) return Promise.resolve(one(null));
      process.stdout.write(`${shortened(lines).join('\n')}\n`);
      // What killed programs leave in temporary folders is only listed.
      const lasting = lines.filter((line) => !TEMPORARY.some((folder) => line.includes(` ${folder}`)));
      if (isAlone && lasting.length > 0) {
        return Promise.resolve(one(`changed outside the checkout:\n    ${shortened(lasting).join('\n    ')}`));
      }
      process.stdout.write('by these tests or by other programs; in CI only temporary folders may change\n');
      return Promise.resolve(one(null));
    },
  };
}

/** Reads the state of folders. With `before`, each folder is read as deep as it was then. */
export function readOutside(options: OutsideOptions, before?: OutsideState): OutsideState {
  const tops = [...new Set(options.folders)].filter(
    (folder, _, all) => !all.some((other) => folder.startsWith(`${other}/`)),
  );
  const others = otherProcesses().filter(({ id }) => before?.processes.has(id) ?? true);
  return {
    folders: new Map(tops.map((top) => [top, readFolder(top, options, before?.folders.get(top)?.levels ?? Infinity)])),
    processes: new Set(others.map(({ id }) => id)),
    open: others.flatMap(({ folder }) => openIn(folder)),
  };
}

/** Reads level by level, without other file systems. Ends before a level that would exceed {@link MAX_ENTRIES}. */
function readFolder(top: string, { caches, uid }: OutsideOptions, maxLevels: number): FolderState {
  const entries = new Map<string, State>();
  const left = new Set(caches);
  // A new ~/.cache is no difference in itself.
  const isAbove = (file: string): boolean => caches.some((cache) => cache.startsWith(`${file}/`));
  const topStat = statOf(top);
  let level = topStat === undefined ? [] : [top];
  let levels = 0;
  for (; level.length > 0 && levels < maxLevels; levels++) {
    const paths = level.flatMap(namesIn).filter((file) => !left.has(file));
    if (entries.size + paths.length > MAX_ENTRIES) break;
    level = [];
    for (const file of paths) {
      const stat = statOf(file);
      if (stat === undefined) continue;
      const isFolder = stat.isDirectory();
      if (isFolder && stat.dev === topStat?.dev) level.push(file);
      // Making and removing a file changes its folder's time.
      const content = isFolder ? '' : ` ${stat.size} ${stat.mtimeMs}`;
      if ((uid === null || uid === stat.uid) && !isAbove(file)) entries.set(file, `${stat.mode} ${stat.uid}${content}`);
    }
  }
  const isShared = ((topStat?.mode ?? 0) & 0o1000) !== 0;
  return { isShared, entries, levels: level.length === 0 ? Infinity : levels };
}

/** Returns what an entry is; undefined if it is gone or may not be read. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** Returns the paths in a folder; none if it cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** Returns at most 40 lines, and how many more there are. */
export const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= MAX_LISTED ? lines : [...lines.slice(0, MAX_LISTED), `and ${lines.length - MAX_LISTED} more`];

/**
 * Returns lines that say what was added, removed and changed. The contents of a new or removed folder are not listed
 * again. What a process from before the run has open, such as the log of the program that started the run, is that
 * process's, and in a folder like /tmp the whole entry that it is in.
 */
export function outsideChanges(before: OutsideState, after: OutsideState): string[] {
  const lines: string[] = [];
  const open = [...before.open, ...after.open];
  for (const [top, { isShared, entries: then }] of before.folders) {
    const now = after.folders.get(top)!.entries;
    const belongingTo = (file: string): string => (isShared ? (file.slice(top.length + 1).split('/')[0] ?? '') : file);
    const foreign = new Set(open.filter((file) => file.startsWith(`${top}/`)).map(belongingTo));
    const report = (word: string, files: Iterable<string>, counts: (file: string) => boolean): void => {
      for (const file of files) if (counts(file) && !foreign.has(belongingTo(file))) lines.push(`${word} ${file}`);
    };
    const isMissing = (file: string, from: Entries, of: Entries): boolean =>
      !from.has(file) && (from.has(path.dirname(file)) || !of.has(path.dirname(file)));
    report('added', now.keys(), (file) => isMissing(file, then, now));
    report('removed', then.keys(), (file) => isMissing(file, now, then));
    report('changed', then.keys(), (file) => now.has(file) && now.get(file) !== then.get(file));
  }
  return lines;
}

/** Returns the files and folders that the process of a folder of /proc has open; none if that cannot be read. */
function openIn(folder: string): string[] {
  return namesIn(`${folder}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(fd)];
    } catch {
      return [];
    }
  });
}

function otherProcesses(): { readonly id: string; readonly folder: string }[] {
  return namesIn('/proc').flatMap((folder) => {
    if (!/\/\d+$/.test(folder) || folder === `/proc/${process.pid}`) return [];
    try {
      const stat = readFileSync(`${folder}/stat`, 'latin1');
      // The 22nd field; the second may contain spaces.
      return [{ id: `${folder} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`, folder }];
    } catch {
      return [];
    }
  });
}
