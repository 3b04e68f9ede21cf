import type { FunctionKey } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import { kindOfModule, unresolvedFunction } from '../../symbols/perf-modules.ts';

/** The frame of a line in a SystemTap backtrace. */
interface StapFrame {
  readonly func: FunctionKey;
  /** null if the line has none. */
  readonly address: bigint | null;
}

/**
 * ` 0x55d2 : main+0x2b/0x86 [/opt/app]`, as print_ubacktrace() and print_backtrace() write it; everything after the
 * address may be missing.
 */
const WITH_ADDRESS = /^(?:0x([0-9a-f]{1,16}))(?: : (.*?))?(?: \[([^\]]+)\])?$/;
/** `main+0x2b/0x86 [/opt/app]`: without the address. */
const SYMBOL = /^(\S.*?\+0x[0-9a-f]+(?:\/0x[0-9a-f]+)?)(?: \[([^\]]+)\])?$/;
const OFFSET = /\+0x[0-9a-f]+(?:\/0x[0-9a-f]+)?$/;
/** Return probes print the functions from which and to which control returns, then the usual frames. */
const RETURNING = /^Returning (?:from|to) *: */;
/** The unwinder guessed the frame from the contents of the stack. */
const INEXACT = / ?\(inexact\)$/;

/**
 * `@/srv/x.lua:12`, also with the mark of a compiled trace, `T:`; sources without a file begin with `=` or `[string`.
 */
const LUA_FILE = /^(?:T:)?@?(.+\.lua):(\d+)$/;

/** Parses a frame's line without leading and trailing spaces. */
export function parseStapFrame(line: string): StapFrame {
  const text = line.replace(RETURNING, '').replace(INEXACT, '');
  const [found, digits = '', symbol = '', place = ''] = WITH_ADDRESS.exec(text) ?? [];
  if (found !== undefined && (symbol !== '' || place !== '')) return nativeFrame(BigInt(`0x${digits}`), symbol, place);
  const [, named, module = ''] = SYMBOL.exec(text) ?? [];
  // A plus sign in a path is not an offset: only `+0x…` at the end is.
  if (named !== undefined && !isLua(text)) return nativeFrame(null, named, module);
  return { func: luaFunction(text), address: null };
}

/** `place` is the module, even if there is no symbol with an offset. */
function nativeFrame(address: bigint | null, symbol: string, place: string): StapFrame {
  const module = place.replace(OFFSET, '');
  const name = symbol.replace(OFFSET, '');
  if (name === '' || /^0x[0-9a-f]+$/.test(name)) return { func: unresolvedFunction(module), address };
  return { func: { name: demangle(name) ?? name, module, kind: kindOfPlace(module) }, address };
}

/** SystemTap names user binaries by their paths; the kernel is `kernel`, its modules are bare names. */
function kindOfPlace(module: string): FunctionKind {
  return module !== '' && !module.includes('/') ? FunctionKind.kernel : kindOfModule(module);
}

function isLua(text: string): boolean {
  return /^(?:[CT]:|[@=]|builtin#|\[)/.test(text);
}

/**
 * Returns a frame of the Lua tools of openresty-systemtap-toolkit and stapxx: `C:symbol`, `T:` before a function that
 * ran compiled, `builtin#21` (a fast function of LuaJIT), `GC`, `[tail]`, `file:line` of the function's first line,
 * `module:function`. The whole text is the name, as in FlameGraph.
 */
function luaFunction(name: string): FunctionKey {
  if (name === 'GC' || name === '[tail]' || name === NOT_LUA) return { name, kind: FunctionKind.synthetic };
  if (/^(?:C:)?0x[0-9a-f]+$/.test(name)) return { name, kind: FunctionKind.unresolved };
  if (name.startsWith('C:')) return { name, kind: FunctionKind.user };
  const kind = name.startsWith('T:') ? FunctionKind.jit : FunctionKind.interpreted;
  const [, file, line] = LUA_FILE.exec(name) ?? [];
  return file === undefined ? { name, kind } : { name, file, line: Number(line), kind };
}

/** C functions of the process run, and no function of Lua. */
export const NOT_LUA = '[not in Lua]';

/**
 * Returns whether a line has the form of a frame of SystemTap's own functions or of the Lua tools, which other text
 * rarely has.
 */
export function isStapFrame(line: string): boolean {
  return (
    /^0x[0-9a-f]+ (?:: \S|\[)/.test(line) ||
    /^(?:[CT]:\S|@\S.*:\d+$|=\S.*:\d+$|builtin#\d+$|\[string ".*"\]:\d+$|\[tail\]$|GC$)/.test(line) ||
    /^\S+\+0x[0-9a-f]+\/0x[0-9a-f]+(?: \[|$)/.test(line) ||
    /\.lua:\d+$|_by_lua(?:_block|_file)?\b.*:\d+$|^[\w.-]+:[\w.]+$/.test(line)
  );
}
