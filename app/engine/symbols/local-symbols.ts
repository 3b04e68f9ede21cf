import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { hostname, release } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import process from 'node:process';
import { homeFolder } from '#collectors/home-folder.ts';
import { decodeDocument } from '#core/model/decode-text.ts';
import { buildIdOfNotes } from '#core/symbols/elf.ts';
import { binarySymbols } from '#core/symbols/binary-symbols.ts';
import { hasFullSymbols } from '#core/symbols/elf-symbols.ts';
import { Kallsyms } from '#core/symbols/kallsyms.ts';
import { perfMapTable } from '#core/symbols/perf-map.ts';
import type { SymbolRequest, SymbolSource, SymbolTable } from '#core/symbols/symbols.ts';
import { debuginfodCache, type Debuginfod } from '#collectors/symbols/debuginfod.ts';
import type { GivenBinaries } from './given-binaries.ts';
import { openNamedFile } from '#collectors/target/named-file.ts';
import { parseBuildId } from '#collectors/target/target-words.ts';
import { readOwnVdso, VDSO } from './vdso-symbols.ts';
import { EngineFailure } from '../failure.ts';
import { UNREADABLE_INPUT } from '../files/file-source.ts';
import { readGivenFile } from '../files/read-given-file.ts';
import { isSameFile, withElfFile, type OpenedElf } from '#collectors/target/elf-file.ts';

interface LocalSymbolsOptions {
  /** When the recording ended, in Unix milliseconds; files changed later are not the recorded ones. */
  readonly recordedBefore: number;
  /** A copy of /proc/kallsyms that belongs to the recording. */
  readonly kallsyms?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  /** Binaries that the user gave. */
  readonly given?: GivenBinaries | undefined;
  /** Null or absent fetches nothing. Used only for requests with a build ID and addresses. */
  readonly debuginfod?: Debuginfod | null;
}

const KERNEL = '[kernel.kallsyms]';
/** Maximum size of a kallsyms list in bytes; 20 MB are typical. */
const MAX_KALLSYMS_BYTES = 2 ** 28;
const MAX_MAP_BYTES = 2 ** 29;

/**
 * Returns the symbols available on this machine. A binary is used only if its build ID is the recorded one or, if none
 * was recorded, if it is the same file (device and inode), unchanged since; the kernel only if it is the same build.
 */
export function createLocalSymbols({
  recordedBefore,
  kallsyms,
  environment = process.env,
  given,
  debuginfod = null,
}: LocalSymbolsOptions): SymbolSource {
  const folders = symbolFolders(environment);
  const kernel = kernelSymbols(kallsyms);
  const file = async (request: SymbolRequest): Promise<SymbolTable | null> => {
    const handedOver = (await given?.tableOf(request)) ?? null;
    if (handedOver !== null) return handedOver;
    if (request.path === VDSO) return vdso(request, folders);
    const here = binary(request, recordedBefore, folders);
    if (here.isFull || debuginfod === null || request.buildId === null || request.addresses === undefined) {
      return here.table;
    }
    return (await fetched(debuginfod, request.buildId)) ?? here.table;
  };
  return (request) => {
    switch (request.kind) {
      case 'kernel':
        return Promise.resolve(kernel(request));
      case 'jit-map':
        return Promise.resolve(jitMap(request, recordedBefore));
      case 'file':
        return file(request);
      // The process may have ended long ago.
      case 'program':
        return Promise.resolve(null);
    }
  };
}

/**
 * Returns the locations of files by build ID: separate debug information, perf's cache, pprof's folders, and
 * debuginfod's cache if configured.
 */
function symbolFolders(environment: NodeJS.ProcessEnv): ((buildId: string, path: string) => string[])[] {
  const byParts = (folder: string, end: string) => (id: string) => [join(folder, id.slice(0, 2), id.slice(2) + end)];
  const home = environment['HOME'] ?? homeFolder();
  const isSetUp = (environment['DEBUGINFOD_URLS'] ?? '') !== '' || (environment['DEBUGINFOD_CACHE_PATH'] ?? '') !== '';
  const cache = debuginfodCache(environment);
  // As pprof searches them (internal/symbolizer, locateBinaries).
  const listed = (environment['PPROF_BINARY_PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return [
    byParts('/usr/lib/debug/.build-id', '.debug'),
    byParts(join(home, '.debug/.build-id'), '/elf'),
    byParts(join(home, '.debug/.build-id'), '/vdso'),
    ...listed.map((folder) => (id: string, path: string) => [
      join(folder, id, basename(path)),
      join(folder, basename(path)),
      join(folder, `${id}.debug`),
    ]),
    ...(isSetUp ? [(id: string) => [join(cache, id, 'debuginfo'), join(cache, id, 'executable')]] : []),
  ];
}

/** The local symbols of a binary, and whether another source could have more. */
interface LocalTable {
  readonly table: SymbolTable | null;
  readonly isFull: boolean;
}

function binary(
  request: SymbolRequest,
  recordedBefore: number,
  folders: readonly ((buildId: string, path: string) => string[])[],
): LocalTable {
  const { path } = request;
  const own = withElfFile(path, (opened): LocalTable | null => {
    if (!isSameFile(opened, request, recordedBefore)) return null;
    const { elf } = opened;
    const id = elf.buildId;
    const isFull = hasFullSymbols(elf);
    const others = isFull || id === null ? [] : folders.flatMap((paths) => paths(id, path));
    const apart = firstTable(others, id, (symbols) => binarySymbols(elf, symbols));
    return apart === null ? { table: binarySymbols(elf, elf), isFull } : { table: apart, isFull: true };
  });
  if (own !== null) return own;
  const id = parseBuildId(request.buildId);
  const paths = id === null ? [] : folders.flatMap((each) => each(id, path));
  const table = firstTable(paths, id, (elf) => binarySymbols(elf, elf));
  return { table, isFull: table !== null };
}

/** Returns the symbols of the copy that `perf record` kept, or of this kernel's vdso if it is the recorded one. */
function vdso(request: SymbolRequest, folders: Parameters<typeof binary>[2]): SymbolTable | null {
  const id = parseBuildId(request.buildId);
  const paths = id === null ? [] : folders.flatMap((each) => each(id, request.path));
  const kept = firstTable(paths, id, (elf) => binarySymbols(elf, elf));
  if (kept !== null) return kept;
  const own = readOwnVdso();
  const isRecorded = id === null ? isOwnKernel(request) : own?.buildId === id;
  return isRecorded ? (own?.table ?? null) : null;
}

async function fetched(debuginfod: Debuginfod, buildId: string): Promise<SymbolTable | null> {
  for (const kind of ['debuginfo', 'executable'] as const) {
    const path = await debuginfod.find(buildId, kind);
    const table = path === null ? null : firstTable([path], buildId, (elf) => binarySymbols(elf, elf));
    if (table !== null) return table;
  }
  return null;
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

/** Resolves from the given list, else from this machine's own if it still runs the recorded kernel. */
function kernelSymbols(given: string | undefined): (request: SymbolRequest) => SymbolTable | null {
  let read = given === undefined ? null : readGivenKallsyms(given);
  return (request) => {
    if (given === undefined && !isOwnKernel(request)) return null;
    read ??= new Kallsyms(readOwn('/proc/kallsyms'));
    return kernelTable(request, read);
  };
}

function readGivenKallsyms(path: string): Kallsyms {
  const kallsyms = new Kallsyms(readGivenFile(path, MAX_KALLSYMS_BYTES));
  if (kallsyms.table('', 0) !== null) return kallsyms;
  throw new EngineFailure(
    UNREADABLE_INPUT,
    `${path} has no kernel symbol addresses`,
    'copy /proc/kallsyms as root, who can see the addresses',
  );
}

/**
 * Returns whether the request is for this machine's kernel. A module's request identifies the kernel by release and
 * machine only.
 */
function isOwnKernel({ path, buildId, hostName, kernel }: SymbolRequest): boolean {
  if (path === KERNEL && buildId !== null) return buildId === buildIdOfNotes(readOwn('/sys/kernel/notes'), true);
  return hostName === hostname() && kernel === release();
}

/**
 * Returns the kernel's symbols. The kernel has another load address after each boot; its reference symbol gives the
 * difference.
 */
function kernelTable({ path, reference }: SymbolRequest, kallsyms: Kallsyms): SymbolTable | null {
  const listed = reference === null ? null : kallsyms.addressOf(reference.symbol);
  if (reference === null || listed === null) return null;
  const shift = Number(BigInt.asIntN(64, reference.address)) - listed;
  if (path === KERNEL) return kallsyms.table('', shift);
  // Modules are not moved along with the kernel.
  const module = /([^/[\]]+?)(?:\.ko(?:\.\w+)?)?\]?$/.exec(path)?.[1]?.replaceAll('-', '_');
  return shift === 0 && module !== undefined ? kallsyms.table(module, 0) : null;
}

/** Reads a JIT map. PIDs are reused, so a map that was created after the recording belongs to another process. */
function jitMap({ path, hostName }: SymbolRequest, recordedBefore: number): SymbolTable | null {
  if (hostName !== null && hostName !== hostname()) return null;
  const found = openNamedFile(path);
  if (found === null) return null;
  try {
    const stats = fstatSync(found.descriptor);
    const uid = process.getuid?.() ?? 0;
    if (stats.size > MAX_MAP_BYTES || stats.birthtimeMs > recordedBefore) return null;
    if (stats.uid !== uid && stats.uid !== 0) return null;
    return perfMapTable(decodeDocument(readFileSync(found.descriptor)).text);
  } finally {
    closeSync(found.descriptor);
  }
}

/** Returns an empty array if the file cannot be read. */
function readOwn(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array(0);
  }
}
