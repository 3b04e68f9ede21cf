import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from './check.ts';
import { RefusedRecording, type RecordingFailure } from './recording-failure.ts';
import type { ProcStat } from './target/proc-files.ts';
import { readProcStat } from './target/processes.ts';
import type { Target } from './target/target.ts';

/** The process that the user selected. `startTicks` tells it from a later one with the same PID; null if unknown. */
interface ChosenProcess {
  readonly pid: number;
  readonly startTicks: string | null;
}

export const noSuchProcess = (pid: number): RecordingFailure => ({
  code: 'no-such-process',
  message: `there is no process ${pid}`,
  remedy: 'choose a running one: flamebench ps lists them',
});

export const pidReused = (pid: number): RecordingFailure => ({
  code: 'pid-reused',
  message: `process ${pid} is no longer the selected process`,
  remedy: 'select it again from the list',
});

/** Returns why the process can't be recorded; null if `found` is the selected one. */
export function judgeIdentity(
  { pid, startTicks }: ChosenProcess,
  found: { readonly startTicks: string } | null,
): RecordingFailure | null {
  if (found === null) return noSuchProcess(pid);
  return startTicks === null || startTicks === found.startTicks ? null : pidReused(pid);
}

/** Like {@link judgeIdentity}, as a check before the recording. */
export function checkIdentity(chosen: ChosenProcess, found: { readonly startTicks: string } | null): Check | null {
  const failure = judgeIdentity(chosen, found);
  return failure && checkOf('target', 'failed', failure.message, failure.remedy);
}

/** Returns the selected process; throws a {@link RefusedRecording} if it is another one by now, or gone. */
export async function expectChosen(target: Target, chosen: ChosenProcess): Promise<ProcStat> {
  const stat = await readProcStat(target, chosen.pid);
  const other = judgeIdentity(chosen, stat);
  if (stat !== null && other === null) return stat;
  const { code, message, remedy } = other ?? noSuchProcess(chosen.pid);
  throw new RefusedRecording(code, message, remedy);
}
