import { readFileSync } from 'node:fs';

/** How often /proc is read: short peaks of an allocation are longer than this, and reading costs well under 1 ms. */
const INTERVAL_MS = 50;

/** Follows the resident memory of one process (a renderer) from now until {@link stop}. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  /** Bytes, when the watch began. */
  readonly baseBytes: number;
  #peakBytes: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.baseBytes = residentBytes(pid);
    this.#peakBytes = this.baseBytes;
    this.#timer = setInterval(() => this.#read(), INTERVAL_MS);
  }

  /** Peak resident bytes since the watch began. */
  stop(): number {
    clearInterval(this.#timer);
    this.#read();
    return this.#peakBytes;
  }

  #read(): void {
    this.#peakBytes = Math.max(this.#peakBytes, residentBytes(this.#pid));
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
