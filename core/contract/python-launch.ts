import type { Scope } from './schemas.ts';

/**
 * What lets perf name the functions of Python that `-X perf` or `-X perf_jit` prepares. Frame pointers name none where
 * the interpreter has none, and 8 KiB of stack often end within it.
 */
export const PYTHON_STACKS = { callGraph: 'dwarf', stackBytes: 16_384 } as const;

const SUPPORT = /^PYTHON(PERFSUPPORT|_PERF_JIT_SUPPORT)=./;
/** Options whose value is the next word. */
const WITH_VALUE = /^-[A-Za-z]*[XW]$|^--check-hash-based-pycs$/;

/** Returns whether a launched CPython is prepared for perf; null if it is not CPython, as far as its name tells. */
export function isPreparedPython(scope: Scope): boolean | null {
  const support = perfSupport(scope);
  return support === null ? null : support !== 'none';
}

/**
 * Returns what prepares a launched CPython for perf: its options, before the program, or its environment. `perf_jit`
 * lists how its code is unwound, so that perf finds the callers of Python's functions. Null if it is not CPython, as far
 * as its name tells.
 */
export function perfSupport(scope: Scope): 'perf' | 'perf_jit' | 'none' | null {
  if (scope.kind !== 'command') return null;
  const [program = '', ...words] = scope.argv;
  if (!/(?:^|\/)python(?:3(?:\.\d+)?)?$/.test(program)) return null;
  const variable = scope.env?.map((word) => SUPPORT.exec(word)?.[1]).find((name) => name !== undefined);
  if (variable !== undefined) return variable === 'PERFSUPPORT' ? 'perf' : 'perf_jit';
  for (let at = 0; at < words.length && /^-./.test(words[at]!); at++) {
    const word = words[at]!;
    if (/^-[cm]|^--$/.test(word)) return 'none';
    const value = WITH_VALUE.test(word) ? words[++at] : word.replace(/^-[A-Za-z]*X/, '');
    if (/^-[A-Za-z]*X/.test(word) && (value === 'perf' || value === 'perf_jit')) return value;
  }
  return 'none';
}
