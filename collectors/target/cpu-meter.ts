import { readStats, readTicksPerSecond } from './processes.ts';
import type { ProcStat } from './proc-files.ts';
import type { Target } from './target.ts';

export interface CpuSeconds {
  readonly start: number;
  readonly end: number;
}

/** utime + stime of a process, followed while it runs; of a launched one also its descendants’. */
export interface CpuMeter {
  /**
   * Takes another reading, unless one is under way: a slow target would get more of them than it can answer. If the
   * process is gone or replaced, the last reading stays.
   */
  read(): Promise<void>;
  /** Seconds at the first and at the last reading; null before the first. */
  readonly seconds: CpuSeconds | null;
  /** Those in user code, likewise. */
  readonly userSeconds: CpuSeconds | null;
}

/**
 * `fromBirth`: the process starts with the recording, so CPU time before the first reading counts, and that of its
 * descendants: those that were waited for, and the running ones, which `children` returns. What others left behind, or
 * used after the last reading, is not known, so the sum is the least that they used.
 */
export async function createCpuMeter(
  target: Target,
  pid: () => Promise<number | null>,
  { fromBirth, children = () => [] }: { readonly fromBirth: boolean; readonly children?: () => Iterable<number> },
): Promise<CpuMeter> {
  const ticksPerSecond = await readTicksPerSecond(target);
  let identity: string | null = null;
  let seconds: CpuSeconds | null = null;
  let userSeconds: CpuSeconds | null = null;
  let underWay: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const current = await pid();
    const stats =
      current === null ? null : await readStats(target, [current, ...(fromBirth ? children() : [])]).catch(() => null);
    const stat = stats?.get(current ?? 0) ?? null;
    if (stats === null || stat === null || (identity !== null && identity !== `${stat.pid} ${stat.startTicks}`)) return;
    identity = `${stat.pid} ${stat.startTicks}`;
    const tree = fromBirth ? [...stats.values()] : [];
    const add = (before: CpuSeconds | null, own: number, ofTree: number): CpuSeconds => {
      const now = (fromBirth ? ofTree : own) / ticksPerSecond;
      return { start: before?.start ?? (fromBirth ? 0 : now), end: Math.max(now, before?.end ?? 0) };
    };
    seconds = add(seconds, stat.cpuTicks, sum(tree, 'cpuTicks') + sum(tree, 'childTicks'));
    userSeconds = add(userSeconds, stat.userTicks, sum(tree, 'userTicks') + sum(tree, 'childUserTicks'));
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
    get userSeconds() {
      return userSeconds;
    },
  };
}

const sum = (stats: readonly ProcStat[], ticks: 'cpuTicks' | 'childTicks' | 'userTicks' | 'childUserTicks'): number =>
  stats.reduce((all, stat) => all + stat[ticks], 0);
