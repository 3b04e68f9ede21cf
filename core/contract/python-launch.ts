import type { Scope } from './schemas.ts';

/**
 * What lets perf name the functions of Python that `-X perf` or `-X perf_jit` prepares. Frame pointers name none where
 * the interpreter has none, and 8 KiB of stack often end within it.
 */
export const PYTHON_STACKS = { callGraph: 'dwarf', stackBytes: 16_384 } as const;

const SUPPORT = /^PYTHON(?:PERFSUPPORT|_PERF_JIT_SUPPORT)=./;
/** Options whose value is the next word. */
const WITH_VALUE = /^-[A-Za-z]*[XW]$|^--check-hash-based-pycs$/;

/**
 * Returns whether a launched CPython is prepared for perf: by its options, before the program, or by its environment.
 * Null if it is not CPython, as far as its name tells.
 */
export function isPreparedPython(scope: Scope): boolean | null {
  if (scope.kind !== 'command') return null;
  const [program = '', ...words] = scope.argv;
  if (!/(?:^|\/)python(?:3(?:\.\d+)?)?$/.test(program)) return null;
  if (scope.env?.some((word) => SUPPORT.test(word)) === true) return true;
  for (let at = 0; at < words.length && /^-./.test(words[at]!); at++) {
    const word = words[at]!;
    if (/^-[cm]|^--$/.test(word)) return false;
    const value = WITH_VALUE.test(word) ? words[++at] : word.replace(/^-[A-Za-z]*X/, '');
    if (/^-[A-Za-z]*X/.test(word) && /^perf(?:_jit)?$/.test(value ?? '')) return true;
  }
  return false;
}
