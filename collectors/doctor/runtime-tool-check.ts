import { runtimeOf } from '#core/contract/runtimes.ts';
import type { Check } from '#core/contract/schemas.ts';
import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';

/** Checks for the tool that samples a process's runtime; null if it needs none but Flamebench's collectors. */
export async function checkRuntimeTool(target: Target, pid: number): Promise<Check | null> {
  const process = await findProcess(target, pid);
  const runtime = process && runtimeOf(process);
  if (!runtime?.tool) return null;
  const { program, install, command, writes } = runtime.tool;
  const path = await target.findExecutable(program);
  const id = program;
  if (path === null)
    return {
      id,
      status: 'absent',
      found: `${program}, which samples ${runtime.name}, is not installed`,
      remedy: install,
    };
  return { id, status: 'ok', found: `${path}: run ${command(pid)} and open ${writes}`, remedy: null };
}
