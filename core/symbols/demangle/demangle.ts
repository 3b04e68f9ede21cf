import { demangleItanium } from './itanium.ts';
import { demangleRustV0 } from './rust-v0.ts';

/** Longer names are not worth the time; C++ compilers' own limits are lower. */
const MAX_LENGTH = 20_000;

/**
 * Returns the source-level name of a mangled C++ or Rust symbol, as c++filt prints it, and keeps what profilers append
 * (`@plt`, clone suffixes). null if `name` is not mangled, or the mangling is unknown.
 */
export function demangle(name: string): string | null {
  if (name.length > MAX_LENGTH) return null;
  const rust = demangleRustLegacy(name);
  if (rust !== null) return rust;
  const [, symbol = '', clones = '', version = ''] = /^_{1,3}([ZR][^.@]*)((?:\.[^@]+)?)(@.*)?$/.exec(name) ?? [];
  if (symbol.startsWith('R')) return append(demangleRustV0(symbol.slice(1)), '', version);
  if (symbol.startsWith('Z')) return append(demangleItanium(symbol.slice(1)), cloneSuffix(clones), version);
  return null;
}

/**
 * Like {@link demangle}, but without parameters, return type and clone suffixes for C++, as perf prints symbols, so
 * that a function has the same name whether perf or Flamebench resolved it.
 */
export function demangleName(name: string): string | null {
  const [, symbol, version = ''] = /^_{1,3}Z([^.@]*)(?:\.[^@]+)?(@.*)?$/.exec(name) ?? [];
  if (symbol === undefined || name.length > MAX_LENGTH || demangleRustLegacy(name) !== null) return demangle(name);
  return append(demangleItanium(symbol, true), '', version);
}

function append(text: string | null, clones: string, version: string): string | null {
  return text === null ? null : text + clones + version;
}

/** Returns ` [clone .isra.0] [clone .cold]` for `.isra.0.cold`, as libiberty prints it. */
function cloneSuffix(clones: string): string {
  const parts = clones.match(/\.[a-zA-Z_][^.]*(?:\.\d+)*|\.\d+/g) ?? [];
  return parts.map((part) => ` [clone ${part}]`).join('');
}

/** Source: rustc-demangle, src/legacy.rs. */
const ESCAPES: Readonly<Record<string, string>> = {
  SP: '@',
  BP: '*',
  RF: '&',
  LT: '<',
  GT: '>',
  LP: '(',
  RP: ')',
  C: ',',
};

/**
 * Demangles Rust's legacy mangling, which is C++'s with a hash as the last part and escapes for characters that C++
 * names can't contain. Tools that know only C++ leave both:
 * `<T>::new::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef`. The hash is left out. null if `name` has none.
 */
function demangleRustLegacy(name: string): string | null {
  const path = /^_{1,3}ZN(.*17h[0-9a-f]{16})E(?:\.llvm\.[0-9A-F]+)?(?:@.*)?$/.exec(name)?.[1];
  const parts = path === undefined ? name.split('::') : splitLengths(path);
  const hash = parts.pop() ?? '';
  // A hash has many different digits; `::hffffffffffffffff` is a real function name.
  if (parts.length === 0 || !/^h[0-9a-f]{16}$/.test(hash) || new Set(hash).size < 6) return null;
  return parts.map(unescapePart).join('::');
}

/** Splits `4core3ptr` into core, ptr; empty if the text does not consist of such parts. */
function splitLengths(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const digits = /^\d{1,5}/.exec(text.slice(at, at + 5))?.[0] ?? '';
    const start = at + digits.length;
    at = start + Number(digits);
    if (digits === '' || at > text.length) return [];
    parts.push(text.slice(start, at));
  }
  return parts;
}

function unescapePart(part: string): string {
  return part
    .replace(/^_(?=\$)/, '')
    .replaceAll('..', '::')
    .replace(/\$([A-Z]{1,2}|u[0-9a-f]{1,6})\$/g, (whole, code: string) => unescape(code) ?? whole);
}

function unescape(code: string): string | undefined {
  if (!code.startsWith('u')) return ESCAPES[code];
  const point = Number.parseInt(code.slice(1), 16);
  return point <= 0x10ffff && point >= 0x20 ? String.fromCodePoint(point) : undefined;
}
