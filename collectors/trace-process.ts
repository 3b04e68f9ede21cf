import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import { RECIPES, type Recipe } from '#core/contract/recipes.ts';
import type { Check, ProcessRow } from '#core/contract/schemas.ts';
import { checkIdentity } from './chosen-process.ts';
import { findProcess } from './target/processes.ts';
import type { Target } from './target/target.ts';

/** What a recipe or a script of the user's records; the same for each tool that runs them. */
type Traced = Pick<BpftraceOptions, 'scope' | 'what'>;

/** The process to record, with checks of what the recipe needs. `process` is null if it does not exist. */
export interface TracedProcess {
  readonly process: ProcessRow | null;
  readonly checks: readonly Check[];
}

export const refuseProcess = (found: string, remedy: string, process: ProcessRow | null = null): TracedProcess => ({
  process,
  checks: [{ id: 'target', status: 'failed', found, remedy }],
});

export const recipeOf = ({ what }: Pick<Traced, 'what'>): Recipe | null =>
  what.kind === 'recipe' ? RECIPES[what.recipe] : null;

/** Checks the process. `tool` is as in messages; `isQuotable` returns whether the tool can take a path. */
export async function checkTracedProcess(
  target: Target,
  scope: Extract<Traced['scope'], { kind: 'pid' }>,
  what: Traced['what'],
  { tool, isQuotable }: { readonly tool: string; readonly isQuotable: (path: string) => boolean },
): Promise<TracedProcess> {
  const process = await findProcess(target, scope.pid);
  const other = checkIdentity(scope, process);
  if (process === null || other !== null) return { process: null, checks: other === null ? [] : [other] };
  if (what.kind !== 'recipe' || recipeOf({ what })?.hasFunction !== true) return { process, checks: [] };
  if (what.function === undefined) return refuseProcess('no function given', 'give --function NAME', process);
  if (process.runtime === 'go') {
    const found = `${process.name} is a Go program: probes on the return of a function crash it`;
    return refuseProcess(found, 'record its CPU profile instead: on-cpu, off-cpu, perf or pprof', process);
  }
  if (process.executable === null || !isQuotable(process.executable)) {
    const found = `the executable of process ${scope.pid} has no path that ${tool} can take`;
    return refuseProcess(found, 'run it by a plain path', process);
  }
  return { process, checks: [] };
}

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
