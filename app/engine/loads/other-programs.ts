import { runToEnd } from '#collectors/target/run-to-end.ts';
import { processTree } from '#collectors/target/processes.ts';
import { parsePid } from '#collectors/target/target-words.ts';
import type { ProcStat } from '#collectors/target/proc-files.ts';
import type { Target } from '#collectors/target/target.ts';
import type { ServerUse } from '#core/contract/load/result.ts';
import { andText } from '#core/load/load-text.ts';

/** The processes of a machine at one moment. */
export interface MachineMoment {
  /** Milliseconds, of this machine's monotonic clock. */
  readonly at: number;
  readonly processes: readonly Pick<ProcStat, 'pid' | 'parent' | 'name' | 'startTicks' | 'cpuTicks'>[];
  /** By PID: nanoseconds that its main thread was ready to run but had no CPU; empty if the kernel does not count them. */
  readonly waited: ReadonlyMap<number, number>;
}

/** Lines of `/proc/4711/schedstat:RUNNING WAITING TIMES`, see Documentation/scheduler/sched-stats of the kernel. */
const READ_WAITED = ['sh', '-c', "grep -H '' /proc/[0-9]*/schedstat 2>/dev/null"];
/** 100,000 processes have some 6 MB of them. */
const MAX_WAITED_BYTES = 16 << 20;

/** Null if they can't be read. */
export async function readMoment(target: Target): Promise<MachineMoment | null> {
  const at = performance.now();
  const waited = runToEnd(target, READ_WAITED, { maxBytes: MAX_WAITED_BYTES }).then(
    ({ stdout }) => parseWaited(new TextDecoder().decode(stdout)),
    () => new Map<number, number>(),
  );
  return processTree(target, 0).then(
    async (processes) => ({ at, processes, waited: await waited }),
    () => null,
  );
}

const parseWaited = (text: string): Map<number, number> =>
  new Map(
    [...text.matchAll(/^\/proc\/(\d+)\/schedstat:\d+ (\d+) /gm)].flatMap(([, pid, nanoseconds]) => {
      const found = parsePid(pid);
      return found === null ? [] : [[found, Number(nanoseconds)] as const];
    }),
  );

/**
 * Returns the CPUs that other programs used or waited for between two moments, so that a busy program counts as one
 * also on a machine without an idle CPU: processes that ran at both, other than `own` and what
 * these started. The load tool runs at neither.
 */
export function otherCores(
  start: MachineMoment | null,
  end: MachineMoment | null,
  own: readonly number[],
  ticksPerSecond: number,
): number | null {
  if (start === null || end === null || end.at <= start.at) return null;
  const mine = new Set(own);
  const byAge = end.processes.toSorted((a, b) => Number(a.startTicks) - Number(b.startTicks));
  for (const { pid, parent } of byAge) if (mine.has(parent)) mine.add(pid);
  const before = new Map(start.processes.map((one) => [one.pid, one]));
  const seconds = end.processes.reduce((sum, { pid, startTicks, cpuTicks }) => {
    const first = before.get(pid);
    if (mine.has(pid) || first?.startTicks !== startTicks) return sum;
    const waited = (end.waited.get(pid) ?? 0) - (start.waited.get(pid) ?? 0);
    return sum + Math.max(0, cpuTicks - first.cpuTicks) / ticksPerSecond + Math.max(0, waited) / 1e9;
  }, 0);
  return Math.round((seconds / (end.at - start.at)) * 1000 * 1e4) / 1e4;
}

/** Children that a note names. */
const MOST_CHILDREN = 3;

/**
 * Says which components, processes of one name, used no CPU time during a run, and which programs that they started
 * did, the busiest first: a wrapper may have been named instead of the server. A sentence each.
 */
export function idleNotes(
  uses: readonly ServerUse[],
  start: MachineMoment | null,
  end: MachineMoment | null,
): string[] {
  const names = [...new Set(uses.map(({ name }) => name))];
  return names.flatMap((name) => {
    const own = uses.filter((use) => use.name === name);
    if (own.some(({ cores }) => cores !== 0)) return [];
    const busy = busyUnder(own, uses, start, end);
    const did = busy.length === 0 ? '' : `, but ${andText(busy)}, which it started, did: name them as components`;
    return [`${name} used no CPU time during the run${did}.`];
  });
}

/** Returns the names of the programs below `roots` that used CPU time between two moments and are not watched. */
function busyUnder(
  roots: readonly ServerUse[],
  watched: readonly ServerUse[],
  start: MachineMoment | null,
  end: MachineMoment | null,
): string[] {
  const under = new Set(roots.map(({ pid }) => pid));
  const before = new Map(start?.processes.map((one) => [one.pid, one]));
  const used = (end?.processes ?? [])
    .toSorted((a, b) => Number(a.startTicks) - Number(b.startTicks))
    .flatMap(({ pid, parent, name, startTicks, cpuTicks }) => {
      if (!under.has(parent)) return [];
      under.add(pid);
      const first = before.get(pid);
      const ticks = cpuTicks - (first?.startTicks === startTicks ? first.cpuTicks : 0);
      return ticks > 0 && watched.every((one) => one.pid !== pid) ? [{ name, ticks }] : [];
    })
    .sort((a, b) => b.ticks - a.ticks);
  return [...new Set(used.map(({ name }) => name))].slice(0, MOST_CHILDREN);
}
