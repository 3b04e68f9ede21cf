import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from './check.ts';
import { checkTool } from './bpftrace/availability.ts';
import { checkOwnLimits, checkPtrace } from './doctor/limit-checks.ts';
import { checkMachine } from './doctor/machine-checks.ts';
import { checkPrivilege } from './doctor/privilege-checks.ts';
import { checkStap } from './doctor/stap-check.ts';
import { surveyTarget } from './doctor/survey.ts';
import { checkObjdump } from './perf/annotate.ts';
import { probePerf } from './perf/capabilities.ts';
import { checkPerf } from './perf/checks.ts';
import { checkProcess } from './perf/process-checks.ts';
import { knownBreak } from './stap/availability.ts';
import { findStap, kernelRelease } from './stap/checks.ts';
import { collectors } from './registry.ts';
import type { ConnectedTarget } from './target/connection.ts';
import type { Target } from './target/target.ts';
import { readKernelSettings } from './target/kernel-settings.ts';
import { runtimeOf } from '#core/contract/runtimes.ts';
import { findProcess } from './target/processes.ts';

/**
 * Checks what can be recorded on a target and, with a PID, the expected quality of a recording of that process. Yields
 * checks in a fixed order, each as soon as it is known. Records the process briefly.
 */
export async function* runDoctor(target: Target, pid: number | null): AsyncGenerator<Check> {
  const [survey, settings] = await Promise.all([surveyTarget(target, pid), readKernelSettings(target)]);
  if (survey === null) {
    const found = `${target.host}: can’t run commands`;
    yield checkOf('target', 'failed', found, 'check that it is reachable and has a POSIX shell');
    return;
  }
  yield* checkConnection(target);
  yield* checkMachine(target, survey);
  yield* checkPrivilege(survey, settings.privileged);
  yield checkOwnLimits(survey);
  yield checkPtrace(survey);
  yield await withKnownBreak(target, checkStap(survey, settings.distributions));
  yield await checkTool(target);
  const perf = await probePerf(target, ['fp', 'dwarf', 'lbr']);
  yield* checkPerf(perf, settings);
  yield asWarning(checkObjdump(await target.findExecutable('objdump'), settings.distributions));
  if (pid === null) return;
  yield* checkProcess(target, pid, perf, survey);
  const process = await findProcess(target, pid);
  if (process === null) return;
  const asked = Object.values(collectors).map(async (collector) => collector.checkProcess?.(target, process) ?? []);
  const tool = await checkRuntimeTool(target, pid);
  yield* [...(await Promise.all(asked)).flat(), ...(tool === null ? [] : [tool])].map(asWarning);
}

/** Warns of what slows all commands on a host; known once the first ones have run. */
function* checkConnection(target: Target): Generator<Check> {
  if (!('connection' in target)) return;
  const { kind, message, remedy } = (target as ConnectedTarget).connection.state;
  if (kind === 'up' && message !== null) yield checkOf('login', 'warning', message, remedy);
}

/** Warns if SystemTap has everything it needs, but its version is known to fail on this kernel. */
async function withKnownBreak(target: Target, check: Check): Promise<Check> {
  if (check.status !== 'ok') return check;
  const [stap, release] = await Promise.all([findStap(target), kernelRelease(target)]);
  return knownBreak(stap?.version ?? null, release) ?? check;
}

/** Returns the check for a target that can't be reached at all. */
export const unreachable = (message: string, remedy: string | null): Check =>
  checkOf('target', 'failed', message, remedy);

const asWarning = (check: Check): Check => (check.status === 'failed' ? { ...check, status: 'warning' } : check);

/** Checks for the tool that samples a process's runtime; null if it needs none but Flamebench's collectors. */
export async function checkRuntimeTool(target: Target, pid: number): Promise<Check | null> {
  const process = await findProcess(target, pid);
  const runtime = process && runtimeOf(process);
  if (!runtime?.tool) return null;
  const { program, install, command, writes } = runtime.tool;
  const path = await target.findExecutable(program);
  const id = program;
  if (path === null)
    return checkOf(id, 'absent', `${program}, which samples ${runtime.name}, is not installed`, install);
  return checkOf(id, 'ok', `${path}: run ${command(pid)} and open ${writes}`);
}
