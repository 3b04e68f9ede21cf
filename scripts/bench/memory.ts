import { readFileSync } from 'node:fs';

/** How often /proc is read: short peaks of an allocation are longer than this, and reading costs well under 1 ms. */
const INTERVAL_MS = 50;

/** Follows the resident memory of some processes (a browser's renderers) from now until {@link stop}. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #base: ReadonlyMap<number, number>;
  readonly #peak: Map<number, number>;

  constructor(pids: readonly number[]) {
    this.#base = new Map(pids.map((pid) => [pid, residentBytes(pid)]));
    this.#peak = new Map(this.#base);
    this.#timer = setInterval(() => this.#read(), INTERVAL_MS);
  }

  /** Peak resident bytes over those when the watch began, of the process that grew most. */
  stop(): number {
    clearInterval(this.#timer);
    this.#read();
    return Math.max(0, ...[...this.#peak].map(([pid, peak]) => peak - (this.#base.get(pid) ?? 0)));
  }

  #read(): void {
    for (const [pid, peak] of this.#peak) this.#peak.set(pid, Math.max(peak, residentBytes(pid)));
  }
}

/** VmRSS of /proc/PID/status in bytes; 0 where the process is gone. */
export function residentBytes(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? 0 : Number(line[1]) * 1024;
  } catch {
    return 0;
  }
}
