import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { Recipe } from '#core/contract/recipes.ts';
import type { Check, ProcessRow } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { printedBy, runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';
import { checkTracedProcess, recipeOf, refuseProcess, WHOLE_SYSTEM, type TracedProcess } from '../trace-process.ts';
import { isQuotable } from './script.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

interface Bpftrace {
  /** Absolute path. */
  readonly path: string;
  /** `0.17.0`; null if bpftrace does not print it. */
  readonly version: string | null;
}

/** Returns null if bpftrace is not installed. */
export async function findBpftrace(target: Target): Promise<Bpftrace | null> {
  const path = await target.findExecutable('bpftrace');
  if (path === null) return null;
  const said = await printedBy(target, [path, '--version'], { env: { LC_ALL: 'C' } });
  return { path, version: /\bv?(\d+\.\d+\.\d+)/.exec(said)?.[1] ?? null };
}

/** The way in which bpftrace becomes root. */
interface Privilege {
  /** Null: sudo is not needed or not available. */
  readonly sudo: readonly string[] | null;
  readonly check: Check;
}

/** Checks whether bpftrace can run as root, because it refuses every other user. */
export async function checkPrivilege(target: Target, asRoot: boolean): Promise<Privilege> {
  const { privileged } = await readKernelSettings(target);
  if (privileged === true) return { sudo: null, check: checkOf('permission', 'ok', 'bpftrace runs as root') };
  if (!asRoot) {
    const remedy = target.root === undefined ? 'run flamebench as root' : 'record as root: --sudo, or connect as root';
    return { sudo: null, check: checkOf('permission', 'failed', 'bpftrace runs only as root', remedy) };
  }
  if (target.root === undefined) {
    return {
      sudo: null,
      check: checkOf('permission', 'failed', 'sudo is for other hosts', 'run flamebench itself as root'),
    };
  }
  const sudo = await target.root.sudoArgv();
  return sudo === null
    ? { sudo, check: checkOf('permission', 'failed', 'there is no sudo', 'connect as root, or install sudo') }
    : {
        sudo,
        check: checkOf(
          'permission',
          'ok',
          'bpftrace runs as root, with sudo, which may ask for a password in the terminal',
        ),
      };
}

const EVENT_FOLDERS = ['/sys/kernel/tracing/events', '/sys/kernel/debug/tracing/events'];

/**
 * Checks whether the kernel has the recipe's tracepoints. Only root can look; for other users the result is `unknown`.
 */
export async function checkTracepoints(target: Target, recipe: Recipe): Promise<Check | null> {
  if (recipe.tracepoints.length === 0) return null;
  const id = 'tracepoints';
  const folders = await Promise.all(EVENT_FOLDERS.map((folder) => list(target, folder)));
  const folder = EVENT_FOLDERS[folders.findIndex((names) => names !== null && names.length > 0)];
  if (folder === undefined) {
    const isHidden = (await target.stat('/sys/kernel/tracing').catch(() => null)) !== null;
    return isHidden && folders.every((names) => names === null)
      ? checkOf(id, 'unknown', 'only root can see which tracepoints the kernel has')
      : checkOf(
          id,
          'failed',
          'the kernel’s tracepoints are not mounted',
          'run: sudo mount -t tracefs nodev /sys/kernel/tracing',
        );
  }
  const states = await Promise.all(recipe.tracepoints.map((name) => list(target, `${folder}/${name}`)));
  const missing = recipe.tracepoints.filter((_, index) => states[index] === null);
  if (missing.length === 0) return checkOf(id, 'ok', recipe.tracepoints.join(', '));
  return checkOf(id, 'failed', `this kernel lacks ${missing.join(', ')}`, 'choose another recipe');
}

const list = (target: Target, path: string): Promise<string[] | null> => target.listDirectory(path).catch(() => null);

export async function checkProcess(target: Target, { scope, what }: BpftraceOptions): Promise<TracedProcess> {
  if (scope.kind === 'pid') return checkTracedProcess(target, scope, what, { tool: 'bpftrace', isQuotable });
  const recipe = recipeOf({ what });
  if (recipe === null || recipe.binary === null) return WHOLE_SYSTEM;
  return refuseProcess(`${recipe.label} needs a process`, 'give --pid N');
}

/**
 * Checks whether the executable has the function, because bpftrace starts without an error if it does not. Null if
 * the recipe needs no function.
 */
export async function checkFunction(
  target: Target,
  { path }: Bpftrace,
  { what }: BpftraceOptions,
  { executable }: ProcessRow,
): Promise<Check | null> {
  if (what.kind !== 'recipe' || what.function === undefined || executable === null || !isQuotable(executable))
    return null;
  const probe = `uprobe:"${executable}":${what.function}`;
  const said = await runToEnd(target, [path, '-l', probe], { env: { LC_ALL: 'C' } }).catch(() => null);
  if (said === null || said.exit.code !== 0) {
    return checkOf('function', 'unknown', 'bpftrace can’t list functions');
  }
  if (new TextDecoder().decode(said.stdout).trim() !== '') {
    return checkOf('function', 'ok', what.function);
  }
  return checkOf(
    'function',
    'failed',
    `${executable} has no symbol ${what.function}`,
    `list its symbols: ${quoteArgv(['nm', '-C', executable])}; C++ functions go by their mangled names`,
  );
}
