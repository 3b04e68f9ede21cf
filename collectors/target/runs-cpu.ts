import { readScript } from '../read-script.ts';
import { discardOutput } from './discard-output.ts';
import { linesOf } from './lines-of.ts';
import { parseProcStat } from './proc-files.ts';
import { readTicksPerSecond } from './processes.ts';
import { withRuns, type RunningProcess, type Target } from './target.ts';

const SCRIPT = readScript(new URL('./runs-cpu.sh', import.meta.url));

/** A target whose started processes are measured while they run. */
export interface MeasuredRuns {
  /** The target, whose started processes are noted. */
  readonly target: Target;
  /**
   * Waits for the next reading of the noted processes that still run; null if there are none, or if they have ended
   * meanwhile. Rejects if the target can't be reached.
   */
  next(): Promise<RunsReading | null>;
  /** Ends the reading. Idempotent. */
  end(): void;
}

export interface RunsReading {
  /** Utime + stime of the processes and their descendants. */
  readonly cpuSeconds: number;
  /** By the target's clocks: since its boot, with its sleep; and since 1970. NaN where unknown. */
  readonly boot: number;
  readonly time: number;
}

export function measureRuns(target: Target): MeasuredRuns {
  const running = new Set<number>();
  let ticksPerSecond: Promise<number> | null = null;
  /** The process that prints the readings, and the PIDs that it reads. */
  let watch: { readonly pids: ReadonlySet<number>; readonly child: RunningProcess; readonly lines: Lines } | null =
    null;
  const noted =
    (access: Pick<Target, 'run'>): Target['run'] =>
    async (argv, options) => {
      const process: RunningProcess = await access.run(argv, options);
      running.add(process.pid);
      void process.exit.then(() => running.delete(process.pid));
      return process;
    };
  let isEnded = false;
  const stopWatch = (): void => {
    watch?.child.kill('SIGKILL');
    watch = null;
  };

  async function watchRunning(): Promise<Lines | null> {
    const pids = [...running];
    if (watch !== null && pids.every((pid) => watch?.pids.has(pid))) return watch.lines;
    stopWatch();
    if (pids.length === 0 || isEnded) return null;
    const child = await target.run(['sh', '-c', SCRIPT, 'runs-cpu', ...pids.map(String)], { input: false });
    void discardOutput(child.stderr);
    const lines = linesOf(child.stdout);
    watch = { pids: new Set(pids), child, lines };
    if (isEnded) stopWatch();
    return lines;
  }

  return {
    target: withRuns(target, noted),
    async next() {
      ticksPerSecond ??= readTicksPerSecond(target);
      const [perSecond, lines] = await Promise.all([ticksPerSecond, watchRunning()]);
      const reading = lines && (await readOne(lines, perSecond));
      if (reading === null) stopWatch();
      return reading;
    },
    end() {
      isEnded = true;
      stopWatch();
    },
  };
}

type Lines = AsyncGenerator<string, void>;

/** Reads up to the end of the next reading; null if the lines end before. */
async function readOne(lines: Lines, ticksPerSecond: number): Promise<RunsReading | null> {
  let ticks = 0;
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return null;
    if (value.startsWith('= ')) {
      const [boot = '', time = ''] = value.slice(2).split(' ');
      return { cpuSeconds: ticks / ticksPerSecond, boot: Number.parseFloat(boot), time: Number.parseFloat(time) };
    }
    ticks += parseProcStat(value)?.cpuTicks ?? 0;
  }
}
