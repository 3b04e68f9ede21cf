import type { JudgedKey, JudgedWindow } from './change-judge.ts';

/** Minimum mean number of samples per window of a function that informs the size. */
const LEAST_SAMPLES = 3;
/** Minimum number of such functions. */
const LEAST_FUNCTIONS = 8;
/** Minimum number of samples of a window that has a size. */
const LEAST_WINDOW = 30;
/** Share of the functions that is dropped at each end: those that changed most. */
const TRIMMED = 0.3;
/** Windows whose mean size is shown. */
const RECENT = 10;

/**
 * Estimates by how much each window is larger than the baseline's as a whole, from its typical functions, as
 * `estimateSizes` does for captures: load or machine may have changed it. `unit` is the weight of one sample.
 */
export class WindowSizes {
  readonly #unit: number;
  /** Self weights: mean log(samples + ½) per window of the baseline, by key. */
  readonly #logs = new Map<JudgedKey, number>();
  #recent: number[] = [];

  constructor(baseline: readonly JudgedWindow[], unit: number) {
    this.#unit = unit;
    const sums = new Map<JudgedKey, number>();
    for (const { weights } of baseline) {
      for (const [key, weight] of weights) if (isSelf(key)) sums.set(key, (sums.get(key) ?? 0) + weight);
    }
    for (const [key, sum] of sums) {
      if (sum < LEAST_SAMPLES * unit * baseline.length) continue;
      const logs = baseline.map((window) => this.#logOf(window, key));
      this.#logs.set(key, logs.reduce((all, log) => all + log, 0) / logs.length);
    }
  }

  /** Whether enough functions inform sizes; otherwise windows stay as they are, and changes are not decided. */
  get isKnown(): boolean {
    return this.#logs.size >= LEAST_FUNCTIONS;
  }

  /** Mean size of the last ten windows since the pin; null if sizes are not known. */
  get recent(): number | null {
    const logs = this.#recent;
    return logs.length === 0 ? null : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  }

  /** Divides a window by its size; null if it has too few samples for one. */
  divide(window: JudgedWindow): JudgedWindow | null {
    if (!this.isKnown) return window;
    if (window.total < LEAST_WINDOW * this.#unit) return null;
    const ratios = [...this.#logs].map(([key, log]) => this.#logOf(window, key) - log).sort((a, b) => a - b);
    const trimmed = Math.floor(TRIMMED * ratios.length);
    const kept = ratios.slice(trimmed, ratios.length - trimmed);
    const log = kept.reduce((sum, ratio) => sum + ratio, 0) / kept.length;
    this.#recent = [...this.#recent, log].slice(-RECENT);
    const size = Math.exp(log);
    return {
      weights: new Map([...window.weights].map(([key, weight]) => [key, weight / size])),
      total: window.total / size,
    };
  }

  #logOf({ weights }: JudgedWindow, key: JudgedKey): number {
    return Math.log((weights.get(key) ?? 0) / this.#unit + 0.5);
  }
}

const isSelf = (key: JudgedKey): boolean => key % 2 === 1;
