import { binarySymbols } from '#core/symbols/binary-symbols.ts';
import { hasFullSymbols } from '#core/symbols/elf-symbols.ts';
import type { ElfFile } from '#core/symbols/elf.ts';
import { withDebugFrames, type SymbolRequest, type SymbolSource, type SymbolTable } from '#core/symbols/symbols.ts';
import { readElf } from '../target/elf.ts';
import { isSameFile, withElfFile } from '../target/elf-file.ts';
import { isKernelPath } from '../target/named-file.ts';
import { createLocalTarget } from '../target/local.ts';
import type { Target } from '../target/target.ts';
import { debugFileOf, parseBuildId, parseTargetPath } from '../target/target-words.ts';
import { readDebugFrames } from './debug-frames.ts';
import type { Debuginfod } from './debuginfod.ts';

/** A binary that a profile has addresses of. */
export interface BinaryReport {
  readonly request: SymbolRequest;
  /** Why its addresses have no names, as one clause; null if they have. */
  readonly problem: string | null;
  /** Why its code has no lines and no inlined calls although there is debug information; otherwise null. */
  readonly linesProblem: string | null;
}

interface TargetSymbolsOptions {
  /** Null if the user configured none. */
  readonly debuginfod: Debuginfod | null;
  readonly signal: AbortSignal;
  readonly onBinary: (report: BinaryReport) => void;
}

/** Tables of symbols of the largest binaries. */
const MAX_RANGE_BYTES = 2 ** 28;

/**
 * Finds symbols of binaries by build id: in the target's file at the path that the profile names, in the separate debug
 * file there, or on the configured debuginfod servers. Only names, files and lines of code are taken from a file. Go's
 * lines come from its own table; addr2line, run where the debug information is, finds those of other code.
 */
export function createTargetSymbols(target: Target, options: TargetSymbolsOptions): SymbolSource {
  return async (request) => {
    if (request.kind !== 'file') return null;
    const here = target.kind === 'local' ? target : createLocalTarget();
    try {
      const found = await find(target, request, options.debuginfod);
      const { table, linesProblem } = await withLines(found, { target, here, request, signal: options.signal });
      options.onBinary({ request, problem: found.problem, linesProblem });
      return table;
    } finally {
      if (here !== target) await here.dispose();
    }
  };
}

interface BinarySymbols {
  readonly table: SymbolTable | null;
  readonly problem: string | null;
  /** What debug information is read from; null if the binary itself is not known. */
  readonly debug: { readonly isHere: boolean; readonly path: string; readonly debugFile?: string } | null;
}

interface LinesOptions {
  readonly target: Target;
  /** This machine, which has the fetched files. */
  readonly here: Target;
  readonly request: SymbolRequest;
  readonly signal: AbortSignal;
}

async function withLines(
  { table: own, debug }: BinarySymbols,
  { target, here, request, signal }: LinesOptions,
): Promise<{ table: SymbolTable | null; linesProblem: string | null }> {
  const rest = (request.addresses ?? []).filter((address) => (own?.framesAt?.(address) ?? null) === null);
  if (debug === null || rest.length === 0) return { table: own, linesProblem: null };
  const frames = await readDebugFrames(debug.isHere ? here : target, debug, rest, signal);
  return { table: withDebugFrames(own, frames.table), linesProblem: frames.problem };
}

async function find(target: Target, request: SymbolRequest, debuginfod: Debuginfod | null): Promise<BinarySymbols> {
  const { path } = request;
  if (request.buildId === null) return findByFile(target, request);
  const buildId = parseBuildId(request.buildId);
  if (buildId === null) return { table: null, problem: 'its build id is not hexadecimal', debug: null };
  const own = await readBinary(target, path, (elf) => (elf.buildId === buildId ? tableOf(elf) : MISMATCH));
  const isThere = own !== null && own !== MISMATCH;
  const debug = isThere ? { isHere: false, path } : null;
  if (isThere && own.isFull) return named(own.table, debug);
  const apart = await readBinary(target, debugFileOf(buildId), (elf) =>
    elf.buildId === buildId ? tableOf(elf) : null,
  );
  const there = apart?.table ?? (isThere ? own.table : null);
  if (apart === null && debuginfod !== null) {
    const fetched = await findFetched(debuginfod, buildId, isThere && target.kind === 'local' ? path : null);
    if (fetched !== null) return fetched;
  }
  return there === null ? missing(own, path, target) : named(there, debug);
}

/**
 * Finds symbols of builds that servers have. Lines are found by the addresses in the binary, which is fetched unless it
 * is on this machine, because debug files lack its contents.
 */
async function findFetched(
  debuginfod: Debuginfod,
  buildId: string,
  binary: string | null,
): Promise<BinarySymbols | null> {
  const read = (file: string | null): SymbolTable | null =>
    file === null
      ? null
      : (withElfFile(file, ({ elf }) => (elf.buildId === buildId ? tableOf(elf) : null))?.table ?? null);
  const debugFile = await debuginfod.find(buildId, 'debuginfo');
  const path = binary ?? (await debuginfod.find(buildId, 'executable'));
  const table = read(debugFile) ?? read(path);
  if (table === null) return null;
  const debug = path === null ? null : { isHere: true, path, ...(debugFile === null ? {} : { debugFile }) };
  return named(table, debug);
}

/** Without a build id, takes this machine's file if it is the mapped one; another host's can't be checked. */
function findByFile(target: Target, request: SymbolRequest): BinarySymbols {
  const { path } = request;
  const isHere = target.kind === 'local' && request.file !== null;
  const own = isHere
    ? withElfFile(path, (opened) => (isSameFile(opened, request, Date.now()) ? tableOf(opened.elf) : MISMATCH))
    : null;
  if (own === null) return { table: null, problem: 'the profile states no build id', debug: null };
  return own === MISMATCH ? missing(own, path, target) : named(own.table, { isHere: true, path });
}

/** The file at the path is of another build. */
const MISMATCH = Symbol('another build');

interface OwnTable {
  readonly table: SymbolTable | null;
  /** True if the table has all names, so that no separate debug file is needed. */
  readonly isFull: boolean;
}

function tableOf(elf: ElfFile): OwnTable {
  const isGo = elf.section('.gopclntab') !== null || elf.section('.data.rel.ro.gopclntab') !== null;
  return { table: binarySymbols(elf, elf), isFull: isGo || hasFullSymbols(elf) };
}

async function readBinary<T>(target: Target, path: string, read: (elf: ElfFile) => T): Promise<T | null> {
  if (parseTargetPath(path) === null || isKernelPath(path)) return null;
  if (target.kind === 'local') return withElfFile(path, ({ elf }) => read(elf));
  return readElf(target, path, read, MAX_RANGE_BYTES);
}

const named = (table: SymbolTable | null, debug: BinarySymbols['debug']): BinarySymbols => ({
  table,
  problem: table === null ? 'it is stripped' : null,
  debug,
});

function missing(own: OwnTable | typeof MISMATCH | null, path: string, { host }: Target): BinarySymbols {
  const problem =
    own === MISMATCH
      ? `${path} on ${host} is another build now`
      : own === null
        ? `${path} can’t be read on ${host}`
        : 'it is stripped';
  return { table: null, problem, debug: null };
}
