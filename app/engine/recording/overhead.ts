import { setTimeout } from 'node:timers/promises';
import { measureRuns, type RunsReading } from '#collectors/target/runs-cpu.ts';
import type { Target } from '#collectors/target/target.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';

/** Time in ms after which a recording is asked again whether it has started a process. */
const AGAIN_MS = 500;

/** Seconds of which a share is judged: a collector is busiest while it starts. */
const LEAST_SECONDS = 3;

/** What a recording costs its host. */
export interface OverheadWatch {
  /** The target whose started processes are measured. */
  readonly target: Target;
  /** Ends the watch. Returns the share of the host's CPU time, 0 to 1; null if it could not be read. */
  end(): number | null;
}

/**
 * Watches the processes that a recording starts on a target, and their descendants. Calls `exceeded` once if they use
 * more than the share `most` of the CPU time of `cpus` CPUs, which are asked for once something runs.
 */
export function watchOverhead(
  target: Target,
  cpus: () => Promise<number | null>,
  most: number,
  exceeded: (share: number) => void,
): OverheadWatch {
  const runs = measureRuns(target);
  const start = performance.now();
  let first: { readonly boot: number } | null = null;
  let share: number | null = null;
  let hasEnded = false;
  const take = ({ cpuSeconds, boot }: RunsReading, count: number): void => {
    first ??= { boot: boot - (performance.now() - start) / 1000 };
    const seconds = boot - first.boot;
    if (!(seconds >= LEAST_SECONDS)) return;
    const known = share;
    share = Math.min(1, Math.max(0, cpuSeconds / (seconds * count)));
    if (share > most && (known ?? 0) <= most) exceeded(share);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      const reading = await runs.next();
      const count = await cpus();
      if (hasEnded || count === null) return;
      if (reading === null) await setTimeout(AGAIN_MS);
      else take(reading, count);
    }
  };
  // If the link is lost, the recording says so.
  watch().catch(() => undefined);
  return {
    target: runs.target,
    end() {
      hasEnded = true;
      runs.end();
      return share;
    },
  };
}

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`;

/** Says that a recording was ended because it cost its host more than it was allowed to. */
export const describeExceeded = (share: number, most: number): Diagnostic =>
  diagnostic(
    'overhead-exceeded',
    `The recording was ended early: it used ${percent(share)} of the host’s CPU time, more than ${percent(most)}.`,
    { remedy: 'Lower --rate, or record one process instead of the whole system.' },
  );
