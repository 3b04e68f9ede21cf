import { NOT_LUA } from './frame.ts';

/** Frames of LuaJIT's interpreter, an assembler function each, and of its entry: what calls and is called through them is of C. */
const INTERPRETER = /(?:^| : )lj_(?:BC|ff|vm|cont)_\w+\+/;
const NAMED = /^lua ([0-9a-f]{1,16}) (.*):(-?\d{1,10})$|^lua ([0-9a-f]{1,16}) (.*)$/;
const PREFIX = /^(?:T:)?/;

/** Names of Lua's functions by their addresses, which the script prints before the rows of each second. */
export class LuaFunctions {
  readonly #names = new Map<string, string>();

  /** Reads a line `lua 7f01 @/srv/hot.lua:6`; false for any other. */
  name(line: string): boolean {
    const [found, ofLua, chunk = '', first = '', other = '', name = ''] = NAMED.exec(line) ?? [];
    if (found === undefined) return false;
    if (ofLua === undefined) this.#names.set(other, name);
    else this.#names.set(ofLua, `${chunkName(chunk)}:${first}`);
    return true;
  }

  /** Returns the frames, leaf first, of a line of addresses. */
  stack(lines: readonly string[]): string[] {
    return lines
      .flatMap((line) => line.split(' '))
      .filter((address) => address !== '')
      .map((address) => this.#names.get(address) ?? `0x${address}`);
  }
}

/** A chunk without a file is named by its source text, of which LuaJIT shows the first line. */
function chunkName(chunk: string): string {
  const mark = PREFIX.exec(chunk)![0];
  const source = chunk.slice(mark.length);
  if (/^[@=]/.test(source)) return chunk;
  const [line = ''] = source.split('\\n', 1);
  return `${mark}[string "${line}"]`;
}

/**
 * Puts the functions of Lua, leaf first, between the C functions that the innermost interpreter calls and the interpreter's own frames. `native` is
 * leaf first, and empty if only Lua is recorded.
 */
export function interleaveLuaFrames(native: readonly string[], lua: readonly string[]): string[] {
  if (native.length === 0) return lua.length === 0 ? [NOT_LUA] : [...lua];
  if (lua.length === 0) return [...native];
  const at = native.findIndex((frame) => INTERPRETER.test(frame));
  if (at >= 0) return [...native.slice(0, at), ...lua, ...native.slice(at)];
  // A compiled trace has no symbols and ends the unwinding, so its callers are unknown.
  return [...lua, ...native];
}
