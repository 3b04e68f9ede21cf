import type { SymbolFrame, SymbolTable } from '#core/symbols/symbols.ts';
import { messageOf } from '#core/model/failure.ts';
import { ADDR2LINE_PROGRAMS, addr2lineArgv, lookUpAddresses } from '../perf/addr2line.ts';
import { readElfFacts } from '../target/elf.ts';
import type { Target } from '../target/target.ts';

/** Lines and inlined calls from the debug information of a binary. */
interface DebugFrames {
  readonly table: SymbolTable | null;
  /** Why there are none although the binary has debug information. */
  readonly problem: string | null;
}

const NONE: DebugFrames = { table: null, problem: null };

/** A binary, and where its debug information is if neither in it nor in `/usr/lib/debug` of the target. */
interface DebugSource {
  readonly path: string;
  readonly debugFile?: string;
}

/** Resolves the addresses (offsets in the binary) with one process of addr2line on the target. */
export async function readDebugFrames(
  target: Target,
  { path, debugFile }: DebugSource,
  offsets: readonly bigint[],
  signal: AbortSignal,
): Promise<DebugFrames> {
  if (offsets.length === 0) return NONE;
  const elf = await readElfFacts(target, path);
  if (elf === null) return NONE;
  const isApart =
    debugFile !== undefined ||
    (!elf.debugInfo && elf.debugFile !== null && (await target.stat(elf.debugFile)) !== null);
  if (!elf.debugInfo && !isApart) return NONE;
  const program = await findProgram(target);
  if (program === null) return { table: null, problem: 'addr2line, which resolves inlined calls, is not installed' };
  const wanted = offsets.flatMap((offset) => {
    const address = elf.addressAt(Number(offset));
    return address === null ? [] : [{ offset, address }];
  });
  const addresses = wanted.map(({ address }) => address);
  try {
    const answers = await lookUpAddresses(target, addr2lineArgv(program, debugFile ?? path), addresses, signal);
    return { table: tableOf(new Map(wanted.map(({ offset }, row) => [offset, answers[row]!]))), problem: null };
  } catch (error) {
    signal.throwIfAborted();
    return { table: null, problem: messageOf(error) };
  }
}

async function findProgram(target: Target): Promise<string | null> {
  for (const name of ADDR2LINE_PROGRAMS) {
    const path = await target.findExecutable(name);
    if (path !== null) return path;
  }
  return null;
}

type FoundLine = Awaited<ReturnType<typeof lookUpAddresses>>[number][number];

/** Includes only addresses whose function, and everything inlined there, has a name. */
function tableOf(places: ReadonlyMap<bigint, readonly FoundLine[]>): SymbolTable {
  const framesAt = (offset: bigint): readonly SymbolFrame[] | null => {
    const found = places.get(offset) ?? [];
    if (found.length === 0 || found.some(({ func }) => func === '')) return null;
    return found.map(({ func, file, line }) => ({ name: func, file, line, startLine: 0 }));
  };
  return { framesAt, nameAt: (offset) => framesAt(offset)?.at(-1)?.name ?? null };
}
