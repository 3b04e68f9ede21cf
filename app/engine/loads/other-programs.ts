import { printedBy } from '#collectors/target/run-to-end.ts';
import { processTree } from '#collectors/target/processes.ts';
import { parsePid } from '#collectors/target/target-words.ts';
import type { ProcStat } from '#collectors/target/proc-files.ts';
import type { Target } from '#collectors/target/target.ts';
import type { ServerUse } from '#core/contract/load/result.ts';
import { andText } from '#core/load/load-text.ts';

type ProcessMoment = Pick<ProcStat, 'pid' | 'parent' | 'name' | 'startTicks' | 'cpuTicks' | 'childTicks'>;

/** The processes of a machine at one time. */
export interface MachineMoment {
  /** Milliseconds, of this machine's monotonic clock. */
  readonly at: number;
  readonly processes: readonly ProcessMoment[];
  /** Nanoseconds that a process's main thread waited for a CPU, by PID; empty if the kernel does not count them. */
  readonly waited: ReadonlyMap<number, number>;
}

/** Lines of `/proc/4711/schedstat:RUNNING WAITING TIMES`, see Documentation/scheduler/sched-stats of the kernel. */
const READ_WAITED = ['sh', '-c', "grep -H '' /proc/[0-9]*/schedstat 2>/dev/null"];
/** 100,000 processes have some 6 MB of them. */
const MAX_WAITED_BYTES = 16 << 20;

/** Null if they can't be read. */
export async function readMoment(target: Target): Promise<MachineMoment | null> {
  const at = performance.now();
  const waited = printedBy(target, READ_WAITED, { maxBytes: MAX_WAITED_BYTES });
  return processTree(target, 0).then(
    async (processes) => ({ at, processes, waited: parseWaited(await waited) }),
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
 * Returns the CPUs that other programs used or waited for between two moments: processes that exist at both, except
 * `own` and their descendants. Waiting counts, so that a busy program is one CPU even on a machine without an idle one.
 * The load tool exists at neither moment.
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

const identityOf = ({ pid, startTicks }: ProcessMoment): string => `${pid} ${startTicks}`;

/** Sum of the CPU time of processes and of their children that have ended and were waited for. */
const wholeTicks = (processes: readonly ProcessMoment[]): number =>
  processes.reduce((sum, { cpuTicks, childTicks }) => sum + cpuTicks + childTicks, 0);

/**
 * Adds the CPUs of workers that a server starts and ends under load: children of the same name that are not watched, and
 * children that ended. The kernel adds the CPU time of an ended child to its parent's `childTicks`, without a name, so a
 * watched worker that ended counts only there. `masters` maps the PID of a watched worker to the watched process that
 * started it; the first watched worker of a master gets the CPUs of all that are not watched. `ticks` is the number of
 * clock ticks of one CPU during the run.
 */
export function withWorkers(
  uses: readonly ServerUse[],
  masters: ReadonlyMap<number, number>,
  start: MachineMoment | null,
  end: MachineMoment | null,
  ticks: number,
): { readonly uses: readonly ServerUse[]; readonly notes: readonly string[] } {
  if (start === null || end === null || !(ticks > 0)) return { uses, notes: [] };
  const before = new Map(start.processes.map((one) => [identityOf(one), one]));
  const after = new Set(end.processes.map(identityOf));
  const running = new Set(end.processes.map(({ pid }) => pid));
  const added = new Map<number, number>();
  const ended = new Set<number>();
  const notes = new Set<string>();
  for (const use of uses) {
    const last = end.processes.find(({ pid }) => pid === use.pid);
    const first = last && before.get(identityOf(last));
    if (last === undefined || first === undefined) continue;
    const children = end.processes.filter(({ parent, name }) => parent === use.pid && name === last.name);
    const unwatched = children.filter(({ pid }) => uses.every((one) => one.pid !== pid));
    const known = unwatched.flatMap((one) => before.get(identityOf(one)) ?? []);
    const gone = start.processes.filter((one) => one.parent === use.pid && !after.has(identityOf(one)));
    const reaped = last.childTicks - first.childTicks - wholeTicks(gone);
    const more = wholeTicks(unwatched) - wholeTicks(known) + Math.max(0, reaped);
    const watched = uses.filter(({ pid }) => masters.get(pid) === use.pid);
    const heir = watched[0] ?? use;
    added.set(heir.pid, (added.get(heir.pid) ?? 0) + more / ticks);
    if (reaped < 0) notes.add(`Workers of ${heir.name} ended whose CPU time is unknown: its CPU is a lower bound.`);
    else for (const { pid } of [...gone, ...watched]) if (!running.has(pid)) ended.add(pid);
    if (more > 0)
      notes.add(
        `The CPU time of ${heir.name} includes workers that started or ended under load, or are not watched; vitals and profiles lack them.`,
      );
  }
  const coresOf = ({ pid, cores }: ServerUse): number | null => {
    const own = ended.has(pid) ? 0 : cores;
    return own === null ? null : Math.round((own + (added.get(pid) ?? 0)) * 1e4) / 1e4;
  };
  return { uses: uses.map((use) => ({ ...use, cores: coresOf(use) })), notes: [...notes] };
}

/** Maximum number of children that a note names. */
const MOST_CHILDREN = 3;

/**
 * Returns a sentence for each component (the processes of one name) that used no CPU time during a run. It names the
 * busiest programs that the component started, since the user may have named a wrapper instead of the server.
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
