import { ChangeJudge, judgedKey, type JudgedWindow } from '#core/live/baseline/change-judge.ts';
import { poisson, randomOf } from '../../compare/simulate.ts';

/** A load of leaf functions that a profiler samples. */
export interface SteadyLoad {
  /** Shares of the functions; they add up to 1. */
  readonly shares: readonly number[];
  readonly samplesPerSecond: number;
  /** Seconds of the baseline. */
  readonly baseline: number;
  /** Each function's rate varies by up to this fraction from second to second. */
  readonly noise: number;
  /** Seconds after the pin. */
  readonly seconds: number;
  /** A function's rate is multiplied from some second on; null: nothing changes. */
  readonly change: { readonly func: number; readonly at: number; readonly factor: number } | null;
}

export interface Simulated {
  /** Whether anything was coloured that had not changed. */
  readonly isFalse: boolean;
  /** Seconds from the change until it was coloured; null if it was not. */
  readonly foundAfter: number | null;
}

export const evenShares = (functions: number): number[] => Array.from({ length: functions }, () => 1 / functions);

/** Shares as of 1/1, 1/2, 1/3 and so on. */
export function unevenShares(functions: number): number[] {
  const weights = Array.from({ length: functions }, (_, place) => 1 / (place + 1));
  const sum = weights.reduce((all, one) => all + one, 0);
  return weights.map((one) => one / sum);
}

/** Watches a load, one look a second. */
export function simulateLive(load: SteadyLoad, seed: number): Simulated {
  const { shares, samplesPerSecond, baseline, noise, seconds, change } = load;
  const random = randomOf(seed);
  const second = (at: number): JudgedWindow => {
    const weights = new Map<number, number>();
    let total = 0;
    shares.forEach((share, func) => {
      const factor = change !== null && at >= change.at && func === change.func ? change.factor : 1;
      const count = poisson(share * samplesPerSecond * factor * (1 + noise * (2 * random() - 1)), random);
      if (count === 0) return;
      weights.set(judgedKey(func, 'total'), count);
      weights.set(judgedKey(func, 'self'), count);
      total += count;
    });
    return { weights, total };
  };
  const judge = new ChangeJudge(
    Array.from({ length: baseline }, () => second(-1)),
    1,
  );
  let isFalse = false;
  for (let at = 0; at < seconds; at++) {
    judge.add(second(at));
    for (const [key, found] of judge.changes()) {
      const isTrue = change !== null && at >= change.at && key === judgedKey(change.func, 'total') && found === 'grew';
      if (isTrue) return { isFalse, foundAfter: at + 1 - change.at };
      isFalse = true;
    }
  }
  return { isFalse, foundAfter: null };
}
