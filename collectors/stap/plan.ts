import { RECIPES, stacksOf } from '#core/contract/recipes.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { commandStep, COMPILED_MODULE, MENDED_RUNTIME, type BuildElsewhere, type Plan } from '../collector.ts';
import { readScript } from '../read-script.ts';
import { cacheOf } from './build-host.ts';
import { LIMITS, stapScript } from './script.ts';
import type { KernelRelease, TargetPath } from '../target/target-words.ts';

export const RAW_FILE = 'raw.stap.txt';

const WITH_SYMBOLS = readScript(new URL('./with-symbols.sh', import.meta.url));
const INTERRUPTED_QUERIES = readScript(new URL('./interrupted-queries.sh', import.meta.url));
const MEND_RUNTIME = `${INTERRUPTED_QUERIES}\n${readScript(new URL('./mend-runtime.sh', import.meta.url))}`;

/** Facts about the target that {@link planStap} needs. */
interface StapFacts {
  /** Absolute paths. */
  readonly stapPath: string;
  readonly staprunPath: string;
  readonly version: string | null;
  readonly release: KernelRelease | null;
  /** The kernel's headers contain a `vmlinux` without symbols, which stap would prefer to `/proc/kallsyms`. */
  readonly hidesSymbols: boolean;
  /** File that the recipe's script names. */
  readonly binary: TargetPath | null;
  /** Binaries that the process has mapped, whose symbols and unwind tables the module contains. */
  readonly binaries: readonly TargetPath[];
  /** Where it is compiled, if not on the target; `stapPath` and `hidesSymbols` then describe the build host. */
  readonly build: BuildElsewhere | null;
  /** The argv with which staprun becomes root; see {@link Plan.sudo}. */
  readonly sudo: readonly string[] | null;
}

/** `LC_ALL` is set because stap's messages are parsed. */
export const STAP_ENVIRONMENT = { LC_ALL: 'C' };

/** Kernels whose headers define macros of tracepoints twice, which is only a warning. */
const DEFINES_TWICE = /^(?:6\.(?:1[2-9]|[2-9]\d)|[7-9]|[1-9]\d)\b/;

/**
 * Returns exactly the commands that will run. Pure. If the runtime is mended, the first command prints the path of the copy.
 * stap compiles the script, which is an argument, and keeps the module in its cache; staprun loads it and prints what it
 * records. `-v` reports stap's passes, `-t` measures the probes' own time, and with `--suppress-handler-errors` a full map
 * or a busy lock is counted instead of ending the recording. Guru mode (`-g`) is never used.
 */
export function planStap(facts: StapFacts, options: StapOptions): Plan<StapOptions> {
  const { what, scope } = options;
  const recipe = what.kind === 'recipe' ? RECIPES[what.recipe] : null;
  const isMended = options.mend === true;
  const { build } = facts;
  const cache = build === null ? [] : [`SYSTEMTAP_DIR=${cacheOf(build)}`];
  const environment = [...cache, ...(facts.hidesSymbols ? ['SYSTEMTAP_DEBUGINFO_PATH=+:.debug:/usr/lib/debug'] : [])];
  const withEnv = (names: readonly string[]): string[] => (names.length === 0 ? [] : ['env', ...names]);
  const mend = [...withEnv(cache), '/bin/sh', '-c', MEND_RUNTIME, 'flamebench', facts.stapPath, facts.release ?? ''];
  const limits = Object.entries(LIMITS).map(([name, value]) => `-D${name}=${value}`);
  const compile = [
    ...withEnv(environment),
    ...(build?.symbols === true ? ['/bin/sh', '-c', WITH_SYMBOLS, 'flamebench', build.folder] : []),
    facts.stapPath,
    '-v',
    '-p4',
    ...(build === null ? [] : ['-r', build.release]),
    ...(build === null || build.root === null ? [] : [`--sysroot=${build.root}`]),
    ...(isMended ? ['-R', MENDED_RUNTIME] : []),
    // Older kernels come with compilers for which a missing declaration is a warning, too, by which stap finds out what the kernel has.
    ...(isMended && DEFINES_TWICE.test(facts.release ?? '') ? ['-B', 'KCFLAGS=-w'] : []),
    ...(recipe === null ? [] : ['-t', '--suppress-handler-errors', ...limits]),
    ...facts.binaries.flatMap((path) => ['-d', path]),
    ...(needsKernel(options) ? ['-d', 'kernel'] : []),
    '-e',
    stapScript(what, facts.binary),
  ];
  // `-R`: the module's name ends with staprun's PID, so that the same module can be loaded twice.
  const load = [facts.staprunPath, '-R', ...(scope.kind === 'pid' ? ['-x', String(scope.pid)] : []), COMPILED_MODULE];
  return {
    collector: 'stap',
    options,
    steps: [...(isMended ? [mend] : []), compile, load].map(commandStep),
    piped: false,
    sudo: facts.sudo,
    ...(build === null ? {} : { build }),
    otherFiles: [],
    toolVersion: facts.version,
    event: recipe === null ? null : recipe.valueType.type,
    rateHz: what.kind === 'recipe' && RECIPES[what.recipe].hasRate ? what.rateHz : null,
  };
}

/** Returns whether stap needs the table of the kernel's symbols: for their names, or to compile returns of functions. */
export const needsSymbols = (options: Pick<StapOptions, 'what'>): boolean =>
  needsKernel(options) || (options.what.kind === 'recipe' && RECIPES[options.what.recipe].hasFunction);

/** Returns whether the module needs the kernel's symbols, which add half a minute to its compilation. */
function needsKernel({ what }: Pick<StapOptions, 'what'>): boolean {
  if (what.kind === 'script') return true;
  const stacks = stacksOf(RECIPES[what.recipe], what.stacks);
  return stacks === 'both' || stacks === 'kernel';
}
