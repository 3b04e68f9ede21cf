import { inflate } from '#core/import/unpack/inflate.ts';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import type { ElfFile } from '#core/symbols/elf.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { MappedBinaries } from '../mapped-binaries.ts';
import { readElf, readElfFacts } from '../target/elf.ts';
import type { Target } from '../target/target.ts';
import { NO_LUAJIT_TYPES } from './explain-failure.ts';

/** Debuginfo of LuaJIT takes about 1 MB; that of a program that contains it, as much as the program has. */
const MAX_STRINGS_BYTES = 2 ** 25;

/**
 * Checks whether LuaJIT's types are known, without which its stacks can't be read: whether `binary` has debuginfo, of which kind its
 * references are (GC64 or GC32), and whether traces were compiled.
 */
export async function checkLuaJit(
  target: Target,
  binary: string,
  { hasMadeCode }: Pick<MappedBinaries, 'hasMadeCode'>,
): Promise<Check> {
  const facts = await readElfFacts(target, binary);
  if (facts === null) return checkOf('luajit', 'unknown', `${binary} can’t be read`);
  const { debugInfo, debugFile } = facts;
  const isApart = !debugInfo && debugFile !== null && (await target.stat(debugFile).catch(() => null)) !== null;
  if (!debugInfo && !isApart) return checkOf('luajit', 'failed', `${binary} has no debuginfo (DWARF)`, NO_LUAJIT_TYPES);
  const names = await readElf(target, isApart ? debugFile : binary, debugStrings, MAX_STRINGS_BYTES);
  const mode = names === null ? null : names.includes('gcptr64') ? 'GC64' : names.includes('gcptr32') ? 'GC32' : '';
  if (mode === '') {
    const found = `${binary} does not contain LuaJIT 2.1`;
    return checkOf('luajit', 'failed', found, 'choose the process that runs Lua: a worker, not the master');
  }
  const jit =
    hasMadeCode === null ? '' : hasMadeCode ? ', with compiled code (JIT on)' : ', without compiled code (JIT off)';
  return checkOf('luajit', 'ok', `LuaJIT${mode === null ? '' : ` ${mode}`} with debuginfo${jit}`);
}

/** A compressed section begins with its kind (1: zlib), reserved bytes, its size and its alignment. */
const COMPRESSED_HEADER_BYTES = 24;
const ZLIB = '\u0001\0\0\0';

/** The names of the debuginfo's types and members; null if they are compressed otherwise than by zlib. */
function debugStrings(elf: ElfFile): string | null {
  const section = elf.section('.debug_str');
  if (section === null) return null;
  const bytes = elf.content(section);
  const decoder = new TextDecoder('latin1');
  if (decoder.decode(bytes.subarray(0, 4)) !== ZLIB) return decoder.decode(bytes);
  try {
    const meter = new UnwrapMeter({ maxBytes: 4 * MAX_STRINGS_BYTES });
    return decoder.decode(inflate(bytes.subarray(COMPRESSED_HEADER_BYTES), 'zlib', meter, '.debug_str'));
  } catch {
    return null;
  }
}
