import { uptime } from 'node:os';
import type { Clock } from '#collectors/collector.ts';
import type { RunsReading } from '#collectors/target/runs-cpu.ts';
import type { Target } from '#collectors/target/target.ts';
import type { ClockEvent } from './source-clock.ts';

/** Seconds by the clocks of this machine and the target, read at about the same time. */
export interface ClockReading {
  /** Stands still while this machine sleeps. */
  readonly monotonic: number;
  /** Since this machine's boot, with its sleep. */
  readonly boot: number;
  /** The target's, since its boot, with its sleep. */
  readonly targetBoot: number;
  /** The target's time of day. */
  readonly targetTime: number;
}

/** Least step of a clock of day that is told: NTP steps by more than 0.128 s, smaller errors are of the reading. */
const LEAST_STEP = 0.5;
/** The link to a host delays a reading by up to this; it also rounds to seconds where `date` knows no fractions. */
const LEAST_STEP_AWAY = 2;

/** The target's clocks, in seconds. */
type TargetClocks = Pick<RunsReading, 'boot' | 'time'>;

/** Reads this machine's clocks. `there` are the target's, read just before. */
export function readClocks({ kind }: Pick<Target, 'kind'>, clock: Clock, there: TargetClocks): ClockReading {
  const monotonic = clock.monotonic() / 1000;
  const boot = uptime();
  return kind === 'local'
    ? { monotonic, boot, targetBoot: boot, targetTime: clock.now() / 1000 }
    : { monotonic, boot, targetBoot: there.boot, targetTime: there.time };
}

/**
 * Recognises from readings that clocks of day were set and that a machine stood still. What two readings agree on has
 * happened; a single one may have been delayed.
 */
export class ClockWatch {
  readonly #host: string;
  readonly #day: SteadyOffset;
  readonly #sleep = new SteadyOffset(LEAST_STEP);
  readonly #still = new SteadyOffset(LEAST_STEP_AWAY);

  constructor({ host, kind }: Pick<Target, 'host' | 'kind'>) {
    this.#host = kind === 'local' ? 'this machine' : host;
    this.#day = new SteadyOffset(kind === 'local' ? LEAST_STEP : LEAST_STEP_AWAY);
  }

  add({ monotonic, boot, targetBoot, targetTime }: ClockReading): ClockEvent[] {
    const slept = this.#sleep.add(boot - monotonic);
    const still = this.#still.add(boot - targetBoot);
    const step = this.#day.add(targetTime - targetBoot);
    return [
      ...(slept !== null && slept > 0 ? [clockPause('This machine slept', slept)] : []),
      ...(still !== null && still > 0 ? [clockPause(`${this.#host} stood still`, still)] : []),
      ...(step === null ? [] : [clockSet(this.#host, step)]),
    ];
  }
}

const clockPause = (what: string, seconds: number): ClockEvent => ({
  text: `${what} for ${duration(seconds)}: nothing was sampled.`,
  stillSeconds: seconds,
});

const clockSet = (host: string, step: number): ClockEvent => ({
  stillSeconds: null,
  text: `The clock of ${host} was set ${step > 0 ? 'forward' : 'back'} by ${duration(Math.abs(step))}; samples keep their own times.`,
});

const duration = (seconds: number): string =>
  seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60).toLocaleString('en')} min`;

/** The difference of two clocks, which drifts slowly. */
class SteadyOffset {
  readonly #least: number;
  #base: number | null = null;
  /** The newest reading, if it differs from the base. */
  #moved: number | null = null;

  constructor(least: number) {
    this.#least = least;
  }

  /** Returns by how many seconds it has stepped, once a second reading confirms it; otherwise null. */
  add(offset: number): number | null {
    if (!Number.isFinite(offset)) return null;
    const base = this.#base ?? offset;
    const moved = this.#moved;
    const isMoved = Math.abs(offset - base) >= this.#least;
    const isConfirmed = isMoved && moved !== null && Math.abs(offset - moved) < this.#least;
    this.#base = isMoved && !isConfirmed ? base : offset;
    this.#moved = isMoved && !isConfirmed ? offset : null;
    return isConfirmed ? offset - base : null;
  }
}
