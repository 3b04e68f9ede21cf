import { isPreparedPython, PYTHON_STACKS } from '#core/contract/python-launch.ts';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { resolvedPath } from '../target/resolved-path.ts';
import type { Target } from '../target/target.ts';

/** The first version that can be prepared for perf: 3.12. */
const LEAST_MINOR = 12;

/** Returns how a launched Python is started or recorded so that perf names its functions; null if it does, or for others. */
export async function advisePython(
  target: Target,
  { scope, callGraph }: Pick<PerfOptions, 'scope' | 'callGraph'>,
): Promise<string | null> {
  const isPrepared = isPreparedPython(scope);
  if (isPrepared === null || scope.kind !== 'command') return null;
  if (isPrepared)
    return callGraph === 'fp' || callGraph === 'lbr'
      ? `Python’s functions have names with call graph dwarf and ${PYTHON_STACKS.stackBytes} bytes of stack, or auto`
      : null;
  const minor = await minorVersion(target, scope.argv[0]!);
  if (minor !== null && minor < LEAST_MINOR)
    return `perf can’t name functions of Python 3.${minor}: record it while it runs, with flamebench record python`;
  const since = minor === null ? ' (3.12 or later)' : '';
  return `Python’s functions have names if it is started with -X perf${since}: python3 -X perf …`;
}

/** Returns the version in the name that the program is a link to, `python3.12`; null if that has none. Runs nothing of it. */
async function minorVersion(target: Target, program: string): Promise<number | null> {
  const path = await target.findExecutable(program);
  if (path === null) return null;
  const minor = /\/python3\.(\d{1,3})$/.exec((await resolvedPath(target, path)) ?? '')?.[1];
  return minor === undefined ? null : Number(minor);
}
