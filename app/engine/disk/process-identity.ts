import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parseProcStat, type ProcStat } from '#collectors/target/proc-files.ts';

/** Identifies one run of one process, so that a reused PID is not mistaken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The kernel's start time in clock ticks after boot; null on systems other than Linux. */
  readonly startTicks: string | null;
  /** The scope of `pid`: boot and PID namespace on Linux, else the host name. */
  readonly machine: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startTicks: (await readStat(process.pid))?.startTicks ?? null, machine: await machine() };
}

/**
 * Returns the state of a process; `unknown` if its PID belongs to another machine, container or boot and cannot be
 * looked up.
 */
export async function processState(
  other: ProcessIdentity,
  self: ProcessIdentity,
): Promise<'alive' | 'ended' | 'unknown'> {
  if (other.machine !== self.machine) return 'unknown';
  if (other.startTicks === null) return signalReaches(other.pid) ? 'alive' : 'ended';
  const stat = await readStat(other.pid);
  if (stat === null || stat.startTicks !== other.startTicks) return 'ended';
  // A zombie has ended; its parent has not waited for it yet.
  return stat.state === 'Z' || stat.state === 'X' ? 'ended' : 'alive';
}

const readStat = (pid: number): Promise<ProcStat | null> =>
  readFile(`/proc/${pid}/stat`, 'latin1').then(parseProcStat, () => null);

function signalReaches(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function machine(): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).trim();
    return `${boot}/${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
