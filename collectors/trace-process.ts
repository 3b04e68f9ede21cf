import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { RECIPES, type Recipe } from '#core/contract/recipes.ts';
import type { Check, ProcessRow } from '#core/contract/schemas.ts';
import { checkOf } from './check.ts';
import { checkIdentity } from './chosen-process.ts';
import { binaryOf, findBinaries, type MappedBinaries } from './mapped-binaries.ts';
import { findProcess } from './target/processes.ts';
import type { Target } from './target/target.ts';
import type { TargetPath } from './target/target-words.ts';

/** What a recipe or a script of the user's records; the same for each tool that runs them. */
type Traced = Pick<BpftraceOptions, 'scope' | 'what'>;

/** The process to record, with checks of what the recipe needs. `process` is null if it does not exist. */
export interface TracedProcess {
  readonly process: ProcessRow | null;
  /** Null without a process. */
  readonly mapped: MappedBinaries | null;
  /** The file that the recipe's script names; null if it names none. */
  readonly binary: TargetPath | null;
  readonly checks: readonly Check[];
}

const withoutBinary = (process: ProcessRow | null, mapped: MappedBinaries | null, checks: readonly Check[]) => ({
  process,
  mapped,
  binary: null,
  checks,
});

/** Whatever is recorded, there is no process. */
export const WHOLE_SYSTEM: TracedProcess = withoutBinary(null, null, []);

export const refuseProcess = (found: string, remedy: string, process: ProcessRow | null = null): TracedProcess =>
  withoutBinary(process, null, [checkOf('target', 'failed', found, remedy)]);

export const recipeOf = ({ what }: Pick<Traced, 'what'>): Recipe | null =>
  what.kind === 'recipe' ? RECIPES[what.recipe] : null;

/**
 * Checks the process. `tool` is as in messages; `isQuotable` returns whether the tool can take a path; `asRoot` is as in
 * {@link findBinaries}.
 */
export async function checkTracedProcess(
  target: Target,
  scope: Extract<Traced['scope'], { kind: 'pid' }>,
  what: Traced['what'],
  {
    tool,
    isQuotable,
    asRoot = false,
  }: { readonly tool: string; readonly isQuotable: (path: string) => boolean; readonly asRoot?: boolean },
): Promise<TracedProcess> {
  const process = await findProcess(target, scope.pid);
  const other = checkIdentity(scope, process);
  if (process === null || other !== null) return withoutBinary(null, null, other === null ? [] : [other]);
  const mapped = await findBinaries(target, process, asRoot);
  const recipe = recipeOf({ what });
  if (recipe === null || recipe.binary === null) return withoutBinary(process, mapped, []);
  if (recipe.hasFunction && what.kind === 'recipe' && what.function === undefined) {
    return refuseProcess('no function given', 'give --function NAME', process);
  }
  if (process.runtime === 'go') {
    const why = recipe.hasFunction
      ? 'probes on the return of a function crash it'
      : 'it does not use a library’s functions for this';
    return refuseProcess(`${process.name} is a Go program: ${why}`, GO_PROFILES, process);
  }
  const binary = binaryOf(recipe.binary, process, mapped);
  if (binary === null || !isQuotable(binary)) {
    const found = `the executable of process ${scope.pid} has no path that ${tool} can take`;
    return refuseProcess(found, 'run it by a plain path', process);
  }
  return { process, mapped, binary, checks: [] };
}

const GO_PROFILES = 'record its CPU profile instead: on-cpu, off-cpu, perf or pprof';

/** Returns `Off CPU of nginx (4711)`, `Script, whole system`. */
export function traceTitle({ what, scope }: Traced, process: ProcessRow | null): string {
  const label = what.kind === 'script' ? 'Script' : RECIPES[what.recipe].label;
  return scope.kind === 'system'
    ? `${label}, whole system`
    : `${label} of ${process?.name ?? 'process'} (${scope.pid})`;
}

/** Returns the options with the process's start time, because its PID may be reused before the recording starts. */
export function withStartTime<T extends Traced>(options: T, process: ProcessRow | null): T {
  const { scope } = options;
  if (scope.kind !== 'pid' || process === null) return options;
  return { ...options, scope: { ...scope, startTicks: process.startTicks } };
}
