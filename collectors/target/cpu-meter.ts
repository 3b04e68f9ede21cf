import { readProcStat, readTicksPerSecond } from './processes.ts';
import type { Target } from './target.ts';

/** utime + stime of a process, followed while it runs. */
export interface CpuMeter {
  /**
   * Takes another reading, unless one is under way: a slow target would get more of them than it can answer. If the
   * process is gone or replaced, the last reading stays.
   */
  read(): Promise<void>;
  /** Seconds at the first and at the last reading; null before the first. */
  readonly seconds: { readonly start: number; readonly end: number } | null;
}

/** `fromBirth`: the process starts with the recording, so CPU time before the first reading counts, too. */
export async function createCpuMeter(
  target: Target,
  pid: () => Promise<number | null>,
  { fromBirth }: { readonly fromBirth: boolean },
): Promise<CpuMeter> {
  const ticksPerSecond = await readTicksPerSecond(target);
  let identity: string | null = null;
  let seconds: { start: number; end: number } | null = null;
  let underWay: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const current = await pid();
    const stat = current === null ? null : await readProcStat(target, current).catch(() => null);
    if (stat === null || (identity !== null && identity !== `${stat.pid} ${stat.startTicks}`)) return;
    identity = `${stat.pid} ${stat.startTicks}`;
    const now = stat.cpuTicks / ticksPerSecond;
    seconds = { start: seconds?.start ?? (fromBirth ? 0 : now), end: now };
  };
  return {
    read() {
      underWay ??= read().finally(() => {
        underWay = null;
      });
      return underWay;
    },
    get seconds() {
      return seconds;
    },
  };
}
