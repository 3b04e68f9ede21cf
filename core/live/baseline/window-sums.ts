import type { LiveRange, TimedWeights } from '../live-store.ts';
import { judgedKey, type JudgedKey, type JudgedWindow } from './change-judge.ts';

const SECOND = 1e9;
/** Nanoseconds to wait before a second is summed, because perf's CPUs are read one after the other. */
const LATENESS = SECOND;

/** Maximum number of seconds summed at once. */
const MAX_EMPTY = 3600;

/** Returns the functions of a stack, each once, leaf first. */
type FunctionsOf = (stack: number) => readonly number[];

/** Sums samples by function in windows of a second. Samples that arrive too late count in the next window. */
export class WindowSums {
  readonly #functionsOf: FunctionsOf;
  /** Weights by stack, by second after the start. */
  readonly #open = new Map<number, Map<number, number>>();
  readonly #start: number;
  #next = 0;

  /** `start` is that of the first window, in nanoseconds after the time origin. Samples before it are ignored. */
  constructor(functionsOf: FunctionsOf, start: number) {
    this.#functionsOf = functionsOf;
    this.#start = start;
  }

  add({ stack, time, weight }: TimedWeights): void {
    for (let row = 0; row < stack.length; row++) {
      if (time[row]! < this.#start) continue;
      const second = Math.max(this.#next, Math.floor((time[row]! - this.#start) / SECOND));
      const byStack = this.#open.get(second) ?? new Map<number, number>();
      this.#open.set(second, byStack);
      byStack.set(stack[row]!, (byStack.get(stack[row]!) ?? 0) + weight[row]!);
    }
  }

  /**
   * Returns the windows that are complete once the newest sample is at `newest`, in order; those in `gaps` are left
   * out, and seconds without a sample are empty windows.
   */
  close(newest: number, gaps: readonly LiveRange[]): JudgedWindow[] {
    return this.closeUntil(Math.floor((newest - LATENESS - this.#start) / SECOND), gaps);
  }

  /** Returns all windows before `second`. */
  closeUntil(second: number, gaps: readonly LiveRange[]): JudgedWindow[] {
    const windows: JudgedWindow[] = [];
    // After a clock step, or hours without a sample, only what has arrived is summed.
    if (second - this.#next > MAX_EMPTY) this.#next = Math.min(second, ...this.#open.keys());
    if (second - this.#next > MAX_EMPTY) this.#next = second - MAX_EMPTY;
    for (; this.#next < second; this.#next++) {
      const byStack = this.#open.get(this.#next);
      this.#open.delete(this.#next);
      const from = this.#start + this.#next * SECOND;
      if (!gaps.some(({ start, end }) => start < from + SECOND && end > from)) windows.push(this.#sum(byStack));
    }
    return windows;
  }

  #sum(byStack: ReadonlyMap<number, number> | undefined): JudgedWindow {
    const weights = new Map<JudgedKey, number>();
    const add = (key: JudgedKey, weight: number): unknown => weights.set(key, (weights.get(key) ?? 0) + weight);
    let total = 0;
    for (const [stack, weight] of byStack ?? []) {
      total += weight;
      this.#functionsOf(stack).forEach((func, place) => {
        add(judgedKey(func, 'total'), weight);
        if (place === 0) add(judgedKey(func, 'self'), weight);
      });
    }
    return { weights, total };
  }
}
