import { closeSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { homedir, hostname, release } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buildIdOfNotes } from '#core/symbols/elf.ts';
import { elfSymbolTable, hasFullSymbols } from '#core/symbols/elf-symbols.ts';
import { Kallsyms } from '#core/symbols/kallsyms.ts';
import { perfMapTable } from '#core/symbols/perf-map.ts';
import type { SymbolRequest, SymbolSource, SymbolTable } from '#core/symbols/symbols.ts';
import { openNamedFile } from '#collectors/target/named-file.ts';
import { EngineFailure } from '../failure.ts';
import { UNREADABLE_INPUT } from '../files/file-source.ts';
import { withElfFile, type OpenedElf } from './elf-file.ts';

export interface LocalSymbolsOptions {
  /** When the recording was over, in Unix milliseconds: files that changed later are others. */
  readonly recordedBefore: number;
  /** A copy of /proc/kallsyms that goes with the recording. */
  readonly kallsyms?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}

const KERNEL = '[kernel.kallsyms]';
/** Larger lists are of no kernel; 20 MB are usual. */
const MAX_KALLSYMS_BYTES = 2 ** 28;
const MAX_MAP_BYTES = 2 ** 29;

/**
 * Symbols that this machine has. A binary counts only where its build id is the recorded one, or, where none was recorded, where it is
 * the same file (device and inode) and has not changed since; the kernel only where it is the same build.
 */
export function createLocalSymbols({
  recordedBefore,
  kallsyms,
  environment = process.env,
}: LocalSymbolsOptions): SymbolSource {
  const folders = symbolFolders(environment);
  const kernel = kernelSymbols(kallsyms);
  return (request) => {
    switch (request.kind) {
      case 'kernel':
        return Promise.resolve(kernel(request));
      case 'jit-map':
        return Promise.resolve(jitMap(request, recordedBefore));
      case 'file':
        return Promise.resolve(binary(request, recordedBefore, folders));
    }
  };
}

/** Where files lie by build id: separate debug information, perf's own cache, debuginfod's where that is set up. */
function symbolFolders(environment: NodeJS.ProcessEnv): ((buildId: string) => string[])[] {
  const byParts = (folder: string, end: string) => (id: string) => [join(folder, id.slice(0, 2), id.slice(2) + end)];
  const home = environment['HOME'] ?? homedir();
  const isSetUp = (environment['DEBUGINFOD_URLS'] ?? '') !== '' || (environment['DEBUGINFOD_CACHE_PATH'] ?? '') !== '';
  const cache =
    environment['DEBUGINFOD_CACHE_PATH'] ??
    join(environment['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'debuginfod_client');
  return [
    byParts('/usr/lib/debug/.build-id', '.debug'),
    byParts(join(home, '.debug/.build-id'), '/elf'),
    ...(isSetUp ? [(id: string) => [join(cache, id, 'debuginfo'), join(cache, id, 'executable')]] : []),
  ];
}

function binary(
  request: SymbolRequest,
  recordedBefore: number,
  folders: readonly ((buildId: string) => string[])[],
): SymbolTable | null {
  const own = withElfFile(request.path, (opened) => {
    if (!isSameFile(opened, request, recordedBefore)) return null;
    const { elf } = opened;
    const id = elf.buildId;
    const others = hasFullSymbols(elf) || id === null ? [] : folders.flatMap((paths) => paths(id));
    return firstTable(others, id, (symbols) => elfSymbolTable(elf, symbols)) ?? elfSymbolTable(elf, elf);
  });
  if (own !== null || request.buildId === null) return own;
  const id = request.buildId;
  return firstTable(
    folders.flatMap((paths) => paths(id)),
    id,
    (elf) => elfSymbolTable(elf, elf),
  );
}

function firstTable(
  paths: readonly string[],
  buildId: string | null,
  read: (elf: OpenedElf['elf']) => SymbolTable | null,
): SymbolTable | null {
  for (const path of paths) {
    const table = withElfFile(path, ({ elf }) => (elf.buildId === buildId ? read(elf) : null));
    if (table !== null) return table;
  }
  return null;
}

function isSameFile(
  { elf, stats }: OpenedElf,
  { buildId, file, hostName }: SymbolRequest,
  recordedBefore: number,
): boolean {
  if (buildId !== null) return elf.buildId === buildId;
  if (file === null || (hostName !== null && hostName !== hostname())) return false;
  const { dev, ino, mtimeMs } = stats;
  const isSameDevice = (file.major === 0 && file.minor === 0) || dev === deviceNumber(file.major, file.minor);
  return ino === file.inode && isSameDevice && Number(mtimeMs) <= recordedBefore;
}

/** As glibc's makedev(). */
function deviceNumber(major: number, minor: number): bigint {
  const [high, low] = [BigInt(major), BigInt(minor)];
  return ((high & 0xfffff000n) << 32n) | ((high & 0xfffn) << 8n) | ((low & 0xffffff00n) << 12n) | (low & 0xffn);
}

/** From the list that was given, else this machine's own, where it still runs the kernel that was recorded. */
function kernelSymbols(given: string | undefined): (request: SymbolRequest) => SymbolTable | null {
  let read = given === undefined ? null : readGivenKallsyms(given);
  return (request) => {
    if (given === undefined && !isOwnKernel(request)) return null;
    read ??= new Kallsyms(readOwn('/proc/kallsyms'));
    return kernelTable(request, read);
  };
}

function readGivenKallsyms(path: string): Kallsyms {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  const kallsyms = new Kallsyms(size > MAX_KALLSYMS_BYTES ? new Uint8Array(0) : readOwn(path));
  if (kallsyms.table('', 0) !== null) return kallsyms;
  throw new EngineFailure(
    UNREADABLE_INPUT,
    `${path} has no kernel symbol addresses`,
    'copy /proc/kallsyms as root, who can see the addresses',
  );
}

/** A module's request tells the kernel it was loaded into by release and machine only. */
function isOwnKernel({ path, buildId, hostName, kernel }: SymbolRequest): boolean {
  if (path === KERNEL && buildId !== null) return buildId === buildIdOfNotes(readOwn('/sys/kernel/notes'), true);
  return hostName === hostname() && kernel === release();
}

/** The kernel is loaded elsewhere at each start: its reference symbol tells by how much. */
function kernelTable({ path, reference }: SymbolRequest, kallsyms: Kallsyms): SymbolTable | null {
  const listed = reference === null ? null : kallsyms.addressOf(reference.symbol);
  if (reference === null || listed === null) return null;
  const shift = Number(BigInt.asIntN(64, reference.address)) - listed;
  if (path === KERNEL) return kallsyms.table('', shift);
  // Modules are not moved along with the kernel.
  const module = /([^/[\]]+?)(?:\.ko(?:\.\w+)?)?\]?$/.exec(path)?.[1]?.replaceAll('-', '_');
  return shift === 0 && module !== undefined ? kallsyms.table(module, 0) : null;
}

/** Process ids are given anew: a map that was begun after the recording is another process's. */
function jitMap({ path, hostName }: SymbolRequest, recordedBefore: number): SymbolTable | null {
  if (hostName !== null && hostName !== hostname()) return null;
  const found = openNamedFile(path);
  if (found === null) return null;
  try {
    const stats = fstatSync(found.descriptor);
    const uid = process.getuid?.() ?? 0;
    if (stats.size > MAX_MAP_BYTES || stats.birthtimeMs > recordedBefore) return null;
    if (stats.uid !== uid && stats.uid !== 0) return null;
    return perfMapTable(readFileSync(found.descriptor, 'utf8'));
  } finally {
    closeSync(found.descriptor);
  }
}

/** Empty where it can't be read. */
function readOwn(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array(0);
  }
}
