import { functionsSentence } from '#core/contract/runtimes.ts';
import { parseFields } from '../target/proc-files.ts';
import { findProcess } from '../target/processes.ts';
import { findMappedDump } from './late-names.ts';
import { readTexts } from '../target/read-texts.ts';
import type { Target } from '../target/target.ts';

/** Facts that determine whether a process's samples can be symbolised. */
export interface ProcessFacts {
  readonly pid: number;
  readonly startTicks: string;
  readonly name: string;
  readonly runtime: string | null;
  /** Who samples the functions of its runtime, a sentence; null if nobody is known. */
  readonly functions: string | null;
  readonly container: string | null;
  /** It has its own mount namespace; null if that is not visible. */
  readonly ownRoot: boolean | null;
  /** This user's perf may enter a mount namespace, to read a container's own files. */
  readonly entersRoots: boolean;
  /** Its PID in its own namespace. */
  readonly innerPid: number;
  /** The `perf-<pid>.map` where the process would write it, or the dump that it maps, as seen from the target; null if absent. */
  readonly jitMap: { readonly path: string; readonly size: number } | null;
}

/** Returns null if there is no such process. */
export async function readProcessFacts(target: Target, pid: number): Promise<ProcessFacts | null> {
  const [row, [root, ownRoot], [status]] = await Promise.all([
    findProcess(target, pid),
    target.readLinks([`/proc/${pid}/ns/mnt`, '/proc/self/ns/mnt']),
    readTexts(target, ['/proc/self/status']),
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
    functions: functionsSentence(row),
    container: row.container,
    ownRoot: root === null || root === undefined ? null : root !== ownRoot,
    entersRoots: mayEnterRoots(status ?? ''),
    innerPid,
    jitMap: map === null ? await findJitDump(target, pid) : { path, size: map.size },
  };
}

/** Returns the path at which a process maps its dump of compiled code; null if it writes a map, or neither. */
export function pathOfDump({ pid, jitMap }: ProcessFacts): string | null {
  return jitMap?.path.endsWith('.dump') === true ? jitMap.path.slice(`/proc/${pid}/root`.length) : null;
}

/** Returns the dump of compiled code that a process maps; null if there is none. */
async function findJitDump(target: Target, pid: number): Promise<ProcessFacts['jitMap']> {
  const mapped = await findMappedDump(target, pid);
  if (mapped === null) return null;
  const path = `/proc/${pid}/root${mapped}`;
  const dump = await target.stat(path);
  return dump === null ? null : { path, size: dump.size };
}

/** setns(2) wants CAP_SYS_CHROOT (18) and CAP_SYS_ADMIN (21). */
const ENTERING = (1n << 18n) | (1n << 21n);

function mayEnterRoots(status: string): boolean {
  const effective = parseFields(status).get('CapEff') ?? '';
  return /^[0-9a-f]+$/.test(effective) && (BigInt(`0x${effective}`) & ENTERING) === ENTERING;
}

/**
 * Returns why the names of a container's own code are missing, and the remedy, as the doctor prints them. Null if perf
 * can read its files.
 */
export function closedRoot({ ownRoot, entersRoots, pid }: ProcessFacts): { message: string; remedy: string } | null {
  if (ownRoot !== true || entersRoots) return null;
  return {
    message: `perf may not enter the mount namespace of process ${pid}: what is only in its container has no names`,
    remedy: `record as root on the host, or for rootless podman: podman unshare flamebench record perf --pid ${pid}`,
  };
}
