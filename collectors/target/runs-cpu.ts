import { readStats, readTicksPerSecond } from './processes.ts';
import type { RunningProcess, Target } from './target.ts';

/** A target whose started processes are measured while they run. */
export interface MeasuredRuns {
  /** The target, whose started processes are noted. */
  readonly target: Target;
  /** Returns utime + stime of the noted processes that still run, and of their descendants, in seconds. */
  read(): Promise<number>;
}

/** Deepest nesting of the collectors' processes: a shell, its pipeline's shells, the tool. */
const MAX_DEPTH = 6;

/** Readings after which descendants are looked for again: collectors start theirs soon. */
const READINGS_OF_TREE = 10;

export function measureRuns(target: Target): MeasuredRuns {
  const running = new Set<number>();
  let ticksPerSecond: Promise<number> | null = null;
  /** The processes of the latest readings, and for how many more they are used. */
  let known: { readonly started: string; readonly pids: readonly number[]; left: number } | null = null;
  const noted =
    (access: Pick<Target, 'run'>): Target['run'] =>
    async (argv, options) => {
      const process: RunningProcess = await access.run(argv, options);
      running.add(process.pid);
      void process.exit.then(() => running.delete(process.pid));
      return process;
    };
  const { root } = target;

  async function withDescendants(): Promise<number[]> {
    const all = [...running];
    let level = all;
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      const lists = await target.readRanges(
        level.map((pid) => ({ path: `/proc/${pid}/task/${pid}/children`, offset: 0, length: 4096 })),
      );
      level = lists.flatMap((bytes) =>
        (new TextDecoder().decode(bytes ?? new Uint8Array()).match(/\d+/g) ?? []).map(Number),
      );
      all.push(...level);
    }
    return all;
  }

  /** Looks for descendants again only now and then: over a link, each level is a command on the host. */
  async function processes(): Promise<readonly number[]> {
    const started = [...running].join(' ');
    if (known === null || known.started !== started || known.left === 0) {
      // The first time, some may not have started yet.
      known = { started, pids: await withDescendants(), left: known === null ? 1 : READINGS_OF_TREE };
    }
    known.left -= 1;
    return known.pids;
  }

  return {
    target: {
      ...target,
      run: noted(target),
      ...(root === undefined ? {} : { root: { sudoArgv: () => root.sudoArgv(), run: noted(root) } }),
    },
    async read() {
      ticksPerSecond ??= readTicksPerSecond(target);
      const pids = await processes();
      const stats = await readStats(target, pids);
      if (stats.size < pids.length) known = null;
      let ticks = 0;
      for (const { cpuTicks } of stats.values()) ticks += cpuTicks;
      return ticks / (await ticksPerSecond);
    },
  };
}
