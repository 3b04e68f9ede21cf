import { parseFields } from '../target/proc-files.ts';
import { findProcess, readProcStat, readTicksPerSecond } from '../target/processes.ts';
import type { Target } from '../target/target.ts';

/** What decides whether a process's samples can be given names. */
export interface ProcessFacts {
  readonly pid: number;
  readonly startTicks: string;
  readonly name: string;
  readonly runtime: string | null;
  readonly container: string | null;
  /** It has its own mount namespace; null where that can't be seen. */
  readonly ownRoot: boolean | null;
  /** Its PID as it sees itself. */
  readonly innerPid: number;
  /** `perf-<pid>.map` where the process would write it, as seen from the target; null where absent. */
  readonly jitMap: { readonly path: string; readonly size: number } | null;
}

/** Null where there is no such process. */
export async function readProcessFacts(target: Target, pid: number): Promise<ProcessFacts | null> {
  const [row, [status], [root, ownRoot]] = await Promise.all([
    findProcess(target, pid),
    target.readRanges([{ path: `/proc/${pid}/status`, offset: 0, length: 4096 }]),
    target.readLinks([`/proc/${pid}/ns/mnt`, '/proc/self/ns/mnt']),
  ]);
  if (row === null) return null;
  const fields = parseFields(new TextDecoder().decode(status ?? new Uint8Array()));
  const innerPid = Number(fields.get('NSpid')?.split(/\s+/).at(-1) ?? pid);
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

/** utime + stime of a process, followed while it runs. */
export interface CpuMeter {
  /** Reads again. Where the process is gone or another one, the last reading stands. */
  read(): Promise<void>;
  /** Seconds at the first and at the last reading; null before the first. */
  readonly seconds: { readonly start: number; readonly end: number } | null;
}

/** `fromBirth`: the process starts with the recording, so its first second counts too, however late the first reading. */
export async function createCpuMeter(
  target: Target,
  pid: () => Promise<number | null>,
  { fromBirth }: { readonly fromBirth: boolean },
): Promise<CpuMeter> {
  const ticksPerSecond = await readTicksPerSecond(target);
  let identity: string | null = null;
  let seconds: { start: number; end: number } | null = null;
  return {
    async read() {
      const current = await pid();
      const stat = current === null ? null : await readProcStat(target, current).catch(() => null);
      if (stat === null || (identity !== null && identity !== `${stat.pid} ${stat.startTicks}`)) return;
      identity = `${stat.pid} ${stat.startTicks}`;
      const now = stat.cpuTicks / ticksPerSecond;
      seconds = { start: seconds?.start ?? (fromBirth ? 0 : now), end: now };
    },
    get seconds() {
      return seconds;
    },
  };
}

/** The process that `perf record` launched; null before it is there and after. */
export async function findChild(target: Target, pid: number): Promise<number | null> {
  const [children] = await target.readRanges([{ path: `/proc/${pid}/task/${pid}/children`, offset: 0, length: 4096 }]);
  const first = Number(
    new TextDecoder()
      .decode(children ?? new Uint8Array())
      .trim()
      .split(' ')[0],
  );
  return Number.isInteger(first) && first > 0 ? first : null;
}
