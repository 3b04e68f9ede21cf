import { readFileSync } from 'node:fs';

/**
 * Interval in ms at which /proc is read: shorter than the peaks of allocations, and each reading takes well under 1 ms.
 */
const INTERVAL_MS = 50;

/** Tracks the resident memory of processes, such as a browser's renderers, until {@link stop}. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #base: ReadonlyMap<number, number>;
  readonly #peak: Map<number, number>;

  constructor(pids: readonly number[]) {
    this.#base = new Map(pids.map((pid) => [pid, residentBytes(pid)]));
    this.#peak = new Map(this.#base);
    this.#timer = setInterval(() => this.#read(), INTERVAL_MS);
  }

  /** Returns the peak resident bytes in excess of those at the start, for the process that grew most. */
  stop(): number {
    clearInterval(this.#timer);
    this.#read();
    return Math.max(0, ...[...this.#peak].map(([pid, peak]) => peak - (this.#base.get(pid) ?? 0)));
  }

  #read(): void {
    for (const [pid, peak] of this.#peak) this.#peak.set(pid, Math.max(peak, residentBytes(pid)));
  }
}

/** Returns VmRSS of /proc/PID/status in bytes; 0 if the process is gone. */
export function residentBytes(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? 0 : Number(line[1]) * 1024;
  } catch {
    return 0;
  }
}
