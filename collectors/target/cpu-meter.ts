import { readProcStat, readTicksPerSecond } from './processes.ts';
import type { Target } from './target.ts';

/** utime + stime of a process, followed while it runs. */
export interface CpuMeter {
  /** Takes another reading. If the process is gone or replaced, the last reading stays. */
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
