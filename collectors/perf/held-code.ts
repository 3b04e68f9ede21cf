import type { FileHandle } from 'node:fs/promises';
import { perfMapText, readJitDump } from '#core/symbols/jit-dump.ts';
import { removeMade } from '../effects/remove.ts';
import { createFile } from '../effects/write.ts';
import { parseFields, parseProcStat } from '../target/proc-files.ts';
import { readInnerPid } from '../target/processes.ts';
import { readTexts } from '../target/read-texts.ts';
import { runToEnd } from '../target/run-to-end.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import type { HeldFile } from '../target/held-file.ts';
import type { Target } from '../target/target.ts';
import { ANONYMOUS, JIT_DUMP } from './jit-maps.ts';
import { asBytes, replaceInLines } from './replace-in-lines.ts';
import { MMAP2_PATH_AT, readPerfStream, wholeEvents, type CodeMapping } from './stream.ts';

/**
 * Files with names of code, held from when a recorded process first maps them, so that `perf script` can read them
 * after the recording even if they have been deleted or replaced since, or were in a container that has ended.
 */
export interface HeldCode {
  note(mapping: CodeMapping): void;
  /**
   * Makes missing files available to `perf script`, whose stream then names the held files instead. `folder`: an empty
   * folder for links to dumps, next to which `perf inject` writes their code; null: dumps give names only.
   */
  prepare(folder: string | null): Promise<ScriptPaths>;
  release(): Promise<void>;
}

interface ScriptPaths {
  /** Returns perf's stream for `perf script`, in whole events. */
  stream(stored: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Returns the text of `perf script` on that stream, with the paths that the processes mapped. */
  text(printed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Maximum number of held files; a host maps a few hundred as code. Further files are read by their paths. */
const MAX_HELD = 4000;
const MAX_JIT_PROCESSES = 1000;
/** How long a killed process may take to end, on a busy machine. */
const ENDING_MS = 5000;
const ENDING_POLL_MS = 50;
/** The bit of SIGKILL in a set of signals. */
const KILLED = 1n << 8n;
/** How the kernel names a file that was deleted while a process has it mapped. */
const DELETED = / \(deleted\)$/;

/** On a target whose files can't be held, only dumps are made available, as copies. */
export const createHeldCode = (target: Target): HeldCode =>
  target.hold === undefined ? createCopiedDumps(target) : new Held(target, target.hold);

function createCopiedDumps(target: Target): HeldCode {
  const noted = new Map<string, string>();
  return {
    note(mapping) {
      const name = JIT_DUMP.exec(mapping.path)?.[0];
      if (name !== undefined && noted.size < MAX_JIT_PROCESSES) noted.set(keyOf(mapping), name);
    },
    async prepare(folder) {
      const moved = new Map<string, string>();
      for (const [key, name] of folder === null ? [] : noted) {
        const copied = await runToEnd(target, ['cp', '--', pathIn(key), `${folder}${name}`]);
        if (copied.exit.code === 0) moved.set(key, `${folder}${name}`);
      }
      return {
        stream: (stored) => renamed(stored, moved, () => Promise.resolve(false)),
        text: (printed) => restored(printed, new Map(), folder),
      };
    },
    release: () => Promise.resolve(),
  };
}

class Held implements HeldCode {
  readonly #target: Target;
  readonly #hold: NonNullable<Target['hold']>;
  /** By inode and path. */
  readonly #files = new Map<string, Promise<HeldFile | null>>();
  /** By PID; null while a process has written none. */
  readonly #jitMaps = new Map<number, Promise<HeldFile | null>>();
  /** By PID; a runtime maps the dump that it writes, so that perf notes it. */
  readonly #jitDumps = new Map<number, Promise<HeldFile | null>>();
  /** Maps made from dumps, until they are released. */
  readonly #madeMaps: MadeMap[] = [];

  constructor(target: Target, hold: NonNullable<Target['hold']>) {
    this.#target = target;
    this.#hold = hold;
  }

  note(mapping: CodeMapping): void {
    if (ANONYMOUS.test(mapping.path)) this.#noteJit(mapping.pid);
    else if (mapping.path.startsWith('/')) this.#noteFile(mapping);
  }

  #noteFile(mapping: CodeMapping): void {
    const key = keyOf(mapping);
    if (this.#files.has(key) || this.#files.size >= MAX_HELD) return;
    const file = this.#holdFirst(pathsOf(mapping));
    this.#files.set(key, file);
    if (JIT_DUMP.test(mapping.path) && this.#jitDumps.size < MAX_JIT_PROCESSES) this.#jitDumps.set(mapping.pid, file);
  }

  /** Notes a process with code compiled at run time, which may write its map later. */
  #noteJit(pid: number): void {
    const known = this.#jitMaps.get(pid);
    if (known === undefined && this.#jitMaps.size >= MAX_JIT_PROCESSES) return;
    const look = async (): Promise<HeldFile | null> => (await known) ?? this.#holdJitMap(pid);
    this.#jitMaps.set(pid, look());
  }

  async #holdJitMap(pid: number): Promise<HeldFile | null> {
    const inner = await readInnerPid(this.#target, pid);
    return this.#holdFirst([`/proc/${pid}/root/tmp/perf-${inner}.map`, jitMapPath(pid)]);
  }

  async #holdFirst(paths: readonly string[]): Promise<HeldFile | null> {
    for (const path of paths) {
      const held = await this.#hold(path, { isLink: path.includes('/map_files/') });
      if (held !== null) return held;
    }
    return null;
  }

  async prepare(folder: string | null): Promise<ScriptPaths> {
    const isElsewhere = this.#namespaces();
    await Promise.all(
      [...this.#jitMaps].map(async ([pid, map]) => {
        if (!(await isElsewhere(pid))) await linkJitMap(pid, map);
      }),
    );
    for (const [pid, dump] of this.#jitDumps) {
      if (!(await isElsewhere(pid))) await this.#mapFromDump(pid, dump);
    }
    /** Path to read instead, by inode and path. */
    const moved = new Map<string, string>();
    await Promise.all([...this.#files].map(([key, file]) => noteMoved(key, file, moved)));
    if (folder !== null) await this.#linkDumps(folder, moved);
    const original = new Map<string, string>();
    for (const [key, path] of moved) original.set(path, pathIn(key));
    return {
      stream: (stored) => (moved.size === 0 ? wholeEvents(stored) : renamed(stored, moved, isElsewhere)),
      text: (printed) => (moved.size === 0 ? printed : restored(printed, original, folder)),
    };
  }

  /** `perf inject` knows a dump by its name. */
  async #linkDumps(folder: string, moved: Map<string, string>): Promise<void> {
    for (const [key, file] of this.#files) {
      const name = JIT_DUMP.exec(pathIn(key))?.[0];
      const held = name === undefined ? null : await file;
      if (held === null) continue;
      await held.linkAt(`${folder}${name}`);
      moved.set(key, `${folder}${name}`);
    }
  }

  /** Makes the map that perf reads from a dump, unless the process wrote one. */
  async #mapFromDump(pid: number, dump: Promise<HeldFile | null>): Promise<void> {
    const held = await dump;
    if (held === null || ((await this.#jitMaps.get(pid)) ?? null) !== null) return;
    const codes = await readJitDump((position, length) => held.read(position, length)).catch(() => []);
    if (codes.length === 0) return;
    const made = await makeMap(jitMapPath(pid), perfMapText(codes));
    if (made !== null) this.#madeMaps.push(made);
  }

  /**
   * Returns a test whether perf looks up a process's paths in another mount namespace, where held files have no
   * path; it does so while the process runs, so a process that is about to end is waited for.
   */
  #namespaces(): (pid: number) => Promise<boolean> {
    const known = new Map<number, Promise<boolean>>();
    const find = async (pid: number): Promise<boolean> => {
      for (let waited = 0; ; waited += ENDING_POLL_MS) {
        const [its, own] = await this.#target.readLinks([`/proc/${pid}/ns/mnt`, '/proc/self/ns/mnt']);
        if (typeof its !== 'string' || its === own) return false;
        if (waited >= ENDING_MS || !(await isEnding(this.#target, pid))) return true;
        await new Promise((resolve) => setTimeout(resolve, ENDING_POLL_MS));
      }
    };
    return (pid) => {
      const found = known.get(pid) ?? find(pid);
      known.set(pid, found);
      return found;
    };
  }

  async release(): Promise<void> {
    const all = await Promise.all([...this.#files.values(), ...this.#jitMaps.values()]);
    this.#files.clear();
    this.#jitMaps.clear();
    this.#jitDumps.clear();
    await Promise.all(this.#madeMaps.splice(0).map(removeMap));
    await Promise.all([...new Set(all)].flatMap((held) => held?.release() ?? []));
  }
}

/** Returns whether a process exits, or has been killed and not run since. */
async function isEnding(target: Target, pid: number): Promise<boolean> {
  const [stat, status] = await readTexts(target, [`/proc/${pid}/stat`, `/proc/${pid}/status`]);
  if (parseProcStat(stat ?? '')?.isExiting !== false) return true;
  const fields = parseFields(status ?? '');
  return ['SigPnd', 'ShdPnd'].some((field) => (BigInt(`0x${fields.get(field) ?? '0'}`) & KILLED) !== 0n);
}

/** Returns the path at which perf looks for the map of a process that has ended. */
const jitMapPath = (pid: number): string => `/tmp/perf-${pid}.map`;

/** A map that this process made. Held open, so that no other file gets its inode. */
interface MadeMap {
  readonly path: string;
  readonly file: FileHandle;
  /** When its content was last changed, in ns since 1970. */
  readonly changed: bigint;
}

/** Returns null if there is something at the path, or it can't be written. */
async function makeMap(path: string, text: string): Promise<MadeMap | null> {
  const file = await createFile(path).catch(() => null);
  if (file === null) return null;
  await file.writeFile(text).catch(() => undefined);
  return { path, file, changed: (await file.stat({ bigint: true })).mtimeNs };
}

/** Leaves what the program has put there or written into it since. */
async function removeMap({ path, file, changed }: MadeMap): Promise<void> {
  const made = await file.stat({ bigint: true });
  if (made.mtimeNs === changed) await removeMade(path, made);
  await file.close();
}

async function linkJitMap(pid: number, map: Promise<HeldFile | null>): Promise<void> {
  const held = await map;
  if (held !== null && !(await held.isAt(jitMapPath(pid)))) await held.linkAt(jitMapPath(pid));
}

const keyOf = ({ inode, path }: CodeMapping): string => `${inode}\n${path}`;
const pathIn = (key: string): string => key.slice(key.indexOf('\n') + 1);

/** Returns paths: the first is the mapped file itself, for root; the last works if the process has ended. */
function pathsOf({ pid, range, path }: CodeMapping): string[] {
  const rooted = DELETED.test(path) ? [] : [`/proc/${pid}/root${path}`, path];
  return [`/proc/${pid}/map_files/${range}`, ...rooted];
}

async function noteMoved(key: string, file: Promise<HeldFile | null>, moved: Map<string, string>): Promise<void> {
  const held = await file;
  if (held !== null && !(await held.isAt(pathIn(key)))) moved.set(key, held.path);
}

async function* renamed(
  stored: AsyncIterable<Uint8Array>,
  moved: ReadonlyMap<string, string>,
  isElsewhere: (pid: number) => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  let found: CodeMapping[] = [];
  const reader = readPerfStream([], (mapping) => {
    if (moved.has(keyOf(mapping))) found.push(mapping);
  });
  for await (const chunk of stored) {
    found = [];
    const events = reader.push(chunk);
    let from = 0;
    for (const mapping of found) {
      if (await isElsewhere(mapping.pid)) continue;
      const end = mapping.at + sizeAt(events, mapping.at);
      yield events.subarray(from, mapping.at);
      yield withPath(events.subarray(mapping.at, end), moved.get(keyOf(mapping)) ?? '');
      from = end;
    }
    yield events.subarray(from);
  }
}

/** Returns the size of a little-endian event; files of other machines are not held. */
const sizeAt = (bytes: Uint8Array, at: number): number => bytes[at + 6]! + bytes[at + 7]! * 256;

/** Returns an MMAP2 event with another path; each is padded with NUL bytes to a multiple of 8. */
function withPath(event: Uint8Array, path: string): Uint8Array {
  const before = padded(event.indexOf(0, MMAP2_PATH_AT) - MMAP2_PATH_AT);
  const text = new Uint8Array(padded(path.length));
  text.set(new TextEncoder().encode(path));
  const changed = joinBytes([event.subarray(0, MMAP2_PATH_AT), text, event.subarray(MMAP2_PATH_AT + before)]);
  changed[6] = changed.length % 256;
  changed[7] = Math.floor(changed.length / 256);
  return changed;
}

const padded = (length: number): number => Math.ceil((length + 1) / 8) * 8;

const HELD_PATH = /\((\/proc\/\d+\/fd\/\d+)\)$/gm;

/** What `perf inject` writes for each function of a dump. */
const INJECTED_PATH = /\((\/[^()\n]+)\/jitted-(\d+)-\d+\.so\)$/gm;

const restored = (
  printed: AsyncIterable<Uint8Array>,
  original: ReadonlyMap<string, string>,
  folder: string | null,
): AsyncGenerator<Uint8Array> =>
  replaceInLines(printed, (lines) => {
    const named = lines.replace(HELD_PATH, (whole, path: string) => {
      const known = original.get(path);
      return known === undefined ? whole : `(${asBytes(known)})`;
    });
    if (folder === null) return named;
    return named.replace(INJECTED_PATH, (whole, place: string, pid: string) =>
      place === asBytes(folder) ? `(${jitMapPath(Number(pid))})` : whole,
    );
  });
