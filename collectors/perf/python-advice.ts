import { perfSupport, PYTHON_STACKS } from '#core/contract/python-launch.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { resolvedPath } from '../target/resolved-path.ts';
import type { Target } from '../target/target.ts';

/** The first versions that can be prepared for perf: 3.12, and 3.13 with what unwinds its code. */
const LEAST_MINOR = 12;
const JIT_MINOR = 13;

/** Returns how a launched Python is started or recorded so that perf names its functions; null if it does, or for others. */
export async function advisePython(
  target: Target,
  { scope, callGraph, keepPerfData }: Pick<PerfOptions, 'scope' | 'callGraph' | 'keepPerfData'>,
): Promise<string | null> {
  const support = perfSupport(scope);
  if (support === null || scope.kind !== 'command') return null;
  if (support !== 'none' && (callGraph === 'fp' || callGraph === 'lbr'))
    return `Python’s functions have names with call graph dwarf and ${PYTHON_STACKS.stackBytes} bytes of stack, or auto`;
  // Text that is made beside the recording, as on other machines, has no callers.
  const isAfterwards = target.kind === 'local' || keepPerfData === true;
  if (support === 'perf_jit')
    return isAfterwards ? null : 'each stack has its innermost Python function; with --keep-perf-data its callers, too';
  const minor = await minorVersion(target, scope.argv[0]!);
  const hasCallers = minor !== null && minor >= JIT_MINOR && isAfterwards;
  if (support === 'perf')
    return hasCallers ? 'each stack has its innermost Python function; -X perf_jit has its callers, too' : null;
  if (minor !== null && minor < LEAST_MINOR)
    return `perf can’t name functions of Python 3.${minor}: record it while it runs, with flamebench record python`;
  const option = hasCallers ? 'perf_jit' : 'perf';
  const since = minor === null ? ' (3.12 or later)' : '';
  return `Python’s functions have names if it is started with -X ${option}${since}: python3 -X ${option} …`;
}

/** Returns the version in the name that the program is a link to, `python3.12`; null if that has none. Runs nothing of it. */
async function minorVersion(target: Target, program: string): Promise<number | null> {
  const path = await target.findExecutable(program);
  if (path === null) return null;
  const minor = /\/python3\.(\d{1,3})$/.exec((await resolvedPath(target, path)) ?? '')?.[1];
  return minor === undefined ? null : Number(minor);
}
