import { SAME_WITHIN } from '../../compare/verdict-words.ts';

/** What is judged: a function's self or total weight; see {@link judgedKey}. */
export type JudgedKey = number;

/** Returns the key of a function's total, or of its self weight. */
export const judgedKey = (func: number, measure: 'total' | 'self'): JudgedKey =>
  func * 2 + (measure === 'self' ? 1 : 0);

export type Change = 'grew' | 'shrank';

/** What is known of a key since the pin; `open` if there are too few windows to tell. */
export interface JudgedState {
  readonly state: Change | 'same' | 'open';
  /** Windows that are missing for a verdict, if the difference stays; null if the baseline is too short for one. */
  readonly missing: number | null;
}

/** Weights by key of one window, which is a second, and the weight of all. */
export interface JudgedWindow {
  readonly weights: ReadonlyMap<JudgedKey, number>;
  readonly total: number;
}

/** Probability that anything unchanged is ever coloured; half of it is the baseline's. */
const ALPHA = 0.05;
/** Minimum share of a function to be judged. */
const LEAST_SHARE = 0.01;
/** Minimum number of windows for an interval. */
export const LEAST_WINDOWS = 5;
/** Number of consecutive looks that must find a change before it is coloured. */
const LOOKS = 3;
/** A sequence starts with every second window. */
const STEP = 2;
/** Number of windows at which the shortest sequences are narrowest; each level doubles it. */
const SHORTEST = 12;
/** A sequence ends after this many times the windows at which it is narrowest. */
const LIFE = 3;
const LEVELS = 9;
const HOUR = 3600;
/** Factor between the numbers of windows that are tried when estimating how many are missing. */
const GROWTH = 1.1;
/** Windows in which a function that was small at the pin must reach {@link LEAST_SHARE}. */
const RECENT = 10;
/** A sequence contradicts that nothing changed if it exceeds {@link SAME_WITHIN} by this many standard deviations. */
const AWAY = 2;
/** Maximum number of keys that are judged; only very deep stacks have more. */
const MAX_KEYS = 4000;

/** A key that is judged: sums since the pin, and what they were when each of the running sequences started. */
interface JudgedSums {
  readonly mean: number;
  /** Half width of the baseline's interval. */
  readonly reach: number;
  /** Expected variance of a window's value, from the baseline's mean and bursts. */
  readonly variance: number;
  /** Variance over mean in the baseline, at least 1 sample. */
  readonly perUnit: number;
  /** Error probability left for all of its sequences. */
  readonly alpha: number;
  sum: number;
  squares: number;
  readonly sums: Map<number, readonly [sum: number, squares: number]>;
  /** Number of consecutive looks with the same sign, and the sign. */
  looks: number;
  sign: number;
}

/**
 * Finds functions that have changed since a baseline, by one look a second for any length of time (ADR 24). `unit` is
 * the weight of one sample. Every window must have been collected in full: one with a gap is left out.
 */
export class ChangeJudge {
  readonly #windows: number;
  readonly #unit: number;
  readonly #baseline: WindowSums;
  readonly #judged = new Map<JudgedKey, JudgedSums>();
  #recent: JudgedWindow[] = [];
  /** Starts of running sequences by their level. */
  #starts: { readonly at: number; readonly level: number }[] = [];
  /** Number of windows since the pin. */
  #at = 0;
  /** Number of keys added since the pin. */
  #late = 0;
  /** Weight of {@link SAME_WITHIN}. */
  readonly #tolerance: number;

  constructor(baseline: readonly JudgedWindow[], unit: number) {
    this.#windows = baseline.length;
    this.#unit = unit;
    const { sums, total } = sumWindows(baseline);
    this.#baseline = sums;
    this.#tolerance = (SAME_WITHIN * total) / Math.max(1, baseline.length);
    if (baseline.length < LEAST_WINDOWS) return;
    const large = [...sums].filter(([key, [sum]]) => sum >= total * LEAST_SHARE && !isLeafSelf(key, sums));
    const kept = large.sort((a, b) => b[1][0] - a[1][0] || a[0] - b[0]).slice(0, MAX_KEYS);
    for (const [key] of kept) this.#judge(key, ALPHA / 2 / kept.length);
  }

  /** Number of windows since the pin. */
  get windows(): number {
    return this.#at;
  }

  /** Adds the next window. */
  add(window: JudgedWindow): void {
    if (this.#windows < LEAST_WINDOWS) return;
    this.#recent = [...this.#recent, window].slice(-RECENT);
    if (this.#at % STEP === 0) {
      const level = Math.min(LEVELS - 1, trailingZeros(this.#at / STEP));
      this.#starts.push({ at: this.#at, level });
      for (const judged of this.#judged.values()) judged.sums.set(this.#at, [judged.sum, judged.squares]);
    }
    this.#at += 1;
    const over = this.#starts.filter(({ at, level }) => this.#at - at > lengthOf(level) * LIFE);
    this.#starts = this.#starts.filter(({ at, level }) => this.#at - at <= lengthOf(level) * LIFE);
    for (const [key, judged] of this.#judged) {
      const value = window.weights.get(key) ?? 0;
      judged.sum += value;
      judged.squares += value * value;
      for (const { at } of over) judged.sums.delete(at);
      const sign = this.#look(judged);
      judged.looks = sign !== 0 && sign === judged.sign ? judged.looks + 1 : sign === 0 ? 0 : 1;
      judged.sign = sign;
    }
    this.#addLarge();
  }

  /** Returns the change of a key; null if none has been found. */
  changeOf(key: JudgedKey): Change | null {
    const judged = this.#judged.get(key);
    if (judged === undefined || judged.looks < LOOKS) return null;
    return judged.sign > 0 ? 'grew' : 'shrank';
  }

  changes(): Map<JudgedKey, Change> {
    const found = new Map<JudgedKey, Change>();
    for (const key of this.#judged.keys()) {
      const change = this.changeOf(key);
      if (change !== null) found.set(key, change);
    }
    return found;
  }

  /** Returns what is known of each key that is judged. */
  states(): Map<JudgedKey, JudgedState> {
    return new Map([...this.#judged].map(([key, judged]) => [key, this.#stateOf(judged, this.changeOf(key))]));
  }

  #stateOf(judged: JudgedSums, change: Change | null): JudgedState {
    if (change !== null) return { state: change, missing: null };
    const tolerance = this.#tolerance;
    const since = this.#starts.flatMap((start) => this.#since(judged, start) ?? []);
    const away = since.findLast(
      ({ difference, own, n }) => Math.abs(difference) > tolerance + AWAY * Math.sqrt(own / n),
    );
    const known = away ?? since.toSorted((a, b) => a.reach - b.reach)[0];
    const difference = Math.abs(known?.difference ?? 0);
    if (known !== undefined && difference + judged.reach + known.reach <= tolerance) {
      return { state: 'same', missing: null };
    }
    const goal = Math.max(difference, tolerance - difference) - judged.reach;
    const [have, own] = [known?.n ?? this.#at, known?.own ?? judged.variance];
    let n = Math.max(LEAST_WINDOWS, have + 1);
    while (n <= HOUR && robbinsReach(own, n, this.#alphaAt(judged, this.#at), n) > goal) n = Math.ceil(n * GROWTH);
    return { state: 'open', missing: n > HOUR ? null : n - have };
  }

  #judge(key: JudgedKey, alpha: number): void {
    const n = this.#windows;
    const [sum, squares] = this.#baseline.get(key) ?? [0, 0];
    const mean = sum / n;
    const poisson = (this.#unit * (sum + this.#unit)) / n;
    const variance = Math.max(poisson, varianceOf(sum, squares, n));
    this.#judged.set(key, {
      mean,
      reach: robbinsReach(variance, n, alpha / 2, n),
      variance,
      perUnit: (variance / poisson) * this.#unit,
      alpha: alpha / 2,
      sum: 0,
      squares: 0,
      sums: new Map(),
      looks: 0,
      sign: 0,
    });
  }

  /** Returns the sign of a difference that one of the running sequences has found; 0 if there is none. */
  #look(judged: JudgedSums): number {
    for (const start of this.#starts) {
      const since = this.#since(judged, start, judged.reach);
      if (since !== null && Math.abs(since.difference) > judged.reach + since.reach) return Math.sign(since.difference);
    }
    return 0;
  }

  /**
   * Returns the difference from the baseline since a start with its variance per window and the half width of its
   * interval; null before {@link LEAST_WINDOWS}, or if the difference is at most `least`.
   */
  #since(judged: JudgedSums, { at, level }: { readonly at: number; readonly level: number }, least = -1) {
    const n = this.#at - at;
    const before = judged.sums.get(at);
    if (before === undefined || n < LEAST_WINDOWS) return null;
    const part = judged.sum - before[0];
    const difference = part / n - judged.mean;
    if (Math.abs(difference) <= least) return null;
    const own = Math.max(
      (judged.perUnit * (part + this.#unit)) / n,
      varianceOf(part, judged.squares - before[1], n),
      difference < 0 ? judged.variance : 0,
    );
    return { n, difference, own, reach: robbinsReach(own, n, this.#alphaAt(judged, at), lengthOf(level)) };
  }

  /** Returns the error probability of a sequence that starts at a window. */
  #alphaAt({ alpha }: JudgedSums, at: number): number {
    const hour = Math.floor(at / HOUR);
    return ((alpha / ((hour + 1) * (hour + 2))) * STEP) / HOUR;
  }

  /** Starts to judge what was small at the pin and no longer is. */
  #addLarge(): void {
    if (this.#recent.length < RECENT || this.#judged.size >= MAX_KEYS) return;
    const { sums, total } = sumWindows(this.#recent);
    const large = [...sums].filter(
      ([key, [sum]]) => sum >= total * LEAST_SHARE && !this.#judged.has(key) && !isLeafSelf(key, sums),
    );
    for (const [key] of large.sort((a, b) => b[1][0] - a[1][0] || a[0] - b[0])) {
      if (this.#judged.size >= MAX_KEYS) return;
      this.#late += 1;
      this.#judge(key, ALPHA / 2 / (this.#late * (this.#late + 1)));
    }
  }
}

type WindowSums = ReadonlyMap<JudgedKey, readonly [sum: number, squares: number]>;

/** Returns the sum of each key and of its squares over windows, and the sum of all. */
function sumWindows(windows: readonly JudgedWindow[]): { readonly sums: WindowSums; readonly total: number } {
  const sums = new Map<JudgedKey, [number, number]>();
  let total = 0;
  for (const window of windows) {
    total += window.total;
    for (const [key, weight] of window.weights) {
      const known = sums.get(key) ?? [0, 0];
      sums.set(key, known);
      known[0] += weight;
      known[1] += weight * weight;
    }
  }
  return { sums, total };
}

const lengthOf = (level: number): number => SHORTEST * 2 ** level;

/** A function that calls nothing is judged once, by its total. */
function isLeafSelf(key: JudgedKey, sums: WindowSums): boolean {
  return key % 2 === 1 && sums.get(key)?.[0] === sums.get(key - 1)?.[0];
}

function trailingZeros(value: number): number {
  return value === 0 ? LEVELS : Math.log2(value & -value);
}

function varianceOf(sum: number, squares: number, n: number): number {
  return n < 2 ? 0 : Math.max(0, (squares - (sum * sum) / n) / (n - 1));
}

/**
 * Returns the half width of Robbins' mixture of normals for the mean of `n` windows with variance `variance`: with
 * probability 1 − `alpha` the true mean lies within it at every `n`. It is narrowest at `best` windows (ADR 13).
 */
function robbinsReach(variance: number, n: number, alpha: number, best: number): number {
  const log = Math.log(alpha);
  const rho2 = (Math.log(1 - 2 * log) - 2 * log) / best;
  const at = n * rho2;
  return Math.sqrt(variance * ((2 * (at + 1)) / (n * at)) * (Math.log(at + 1) / 2 - log));
}
