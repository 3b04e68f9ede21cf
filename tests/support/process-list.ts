import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ListedProcess {
  /** PID on this machine. */
  readonly pid: number;
  readonly parent: number;
  /** ID of its process group. */
  readonly group: number;
  readonly name: string;
  readonly command: string;
}

function readProcess(pid: number): ListedProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    const [state, parent, group] = stat.slice(end + 2).split(' ');
    if (state === 'Z' || state === 'X') return null;
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { pid, parent: Number(parent), group: Number(group), name, command: command === '' ? `[${name}]` : command };
  } catch {
    return null;
  }
}

/** Returns all processes of this machine, without zombies. */
export const allProcesses = (): ListedProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);

export const childrenOf = (pid: number): number[] =>
  allProcesses()
    .filter(({ parent }) => parent === pid)
    .map((process) => process.pid);

/** Returns the processes that see the file systems of `pid`, without zombies. */
export function processesIn(pid: number): ListedProcess[] {
  const namespace = (of: number): string | null => {
    try {
      return readlinkSync(`/proc/${of}/ns/mnt`);
    } catch {
      return null;
    }
  };
  const own = namespace(pid);
  return allProcesses().filter((process) => own !== null && namespace(process.pid) === own);
}

/** Returns the PID of a process of this machine in its own PID namespace; null if it has ended. */
export function innerPid(pid: number): number | null {
  try {
    const line = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(line?.split('\t').at(-1) ?? pid);
  } catch {
    return null;
  }
}

/** Ticks per second of the times in /proc. The value is the same on every Linux that Node runs on. */
const TICKS = 100;

/** Returns the CPU seconds of a process and of the children that it has waited for. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Sends a signal to a process; does nothing if it has ended. */
export function killProcess(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid <= 0) throw new Error(`PID ${pid} would be a group of processes`);
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
