import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';

/** Facts that determine whether a process's samples can be symbolised. */
export interface ProcessFacts {
  readonly pid: number;
  readonly startTicks: string;
  readonly name: string;
  readonly runtime: string | null;
  readonly container: string | null;
  /** It has its own mount namespace; null if that is not visible. */
  readonly ownRoot: boolean | null;
  /** Its PID in its own namespace. */
  readonly innerPid: number;
  /** The `perf-<pid>.map` where the process would write it, as seen from the target; null if absent. */
  readonly jitMap: { readonly path: string; readonly size: number } | null;
}

/** Returns null if there is no such process. */
export async function readProcessFacts(target: Target, pid: number): Promise<ProcessFacts | null> {
  const [row, [root, ownRoot]] = await Promise.all([
    findProcess(target, pid),
    target.readLinks([`/proc/${pid}/ns/mnt`, '/proc/self/ns/mnt']),
  ]);
  if (row === null) return null;
  const innerPid = row.innerPid ?? pid;
  const path = `/proc/${pid}/root/tmp/perf-${innerPid}.map`;
  const map = await target.stat(path);
  return {
    pid,
    startTicks: row.startTicks,
    name: row.name,
    runtime: row.runtime,
    container: row.container,
    ownRoot: root === null || root === undefined ? null : root !== ownRoot,
    innerPid,
    jitMap: map === null ? null : { path, size: map.size },
  };
}
