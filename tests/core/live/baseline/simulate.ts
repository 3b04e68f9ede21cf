import { ChangeJudge, judgedKey, type JudgedWindow } from '#core/live/baseline/change-judge.ts';
import { poisson, randomOf } from '../../compare/simulate.ts';

/** A load of leaf functions, as a profiler samples it. */
export interface SteadyLoad {
  /** Shares of the functions; they add up to 1. */
  readonly shares: readonly number[];
  readonly samplesPerSecond: number;
  /** Length of the baseline, in seconds. */
  readonly baseline: number;
  /** Each function's rate varies by up to this fraction from second to second. */
  readonly noise: number;
  /** Length of the watch after the pin, in seconds. */
  readonly seconds: number;
  /** From second `at` on, the function's rate is multiplied by `factor`; null if nothing changes. */
  readonly change: { readonly func: number; readonly at: number; readonly factor: number } | null;
}

export interface Simulated {
  /** True if an unchanged function was coloured. */
  readonly isFalse: boolean;
  /** Seconds from the change until it was coloured; null if it was not. */
  readonly foundAfter: number | null;
}

export const evenShares = (functions: number): number[] => Array.from({ length: functions }, () => 1 / functions);

/** Returns shares in the ratio 1 : 1/2 : 1/3 and so on, which add up to 1. */
export function unevenShares(functions: number): number[] {
  const weights = Array.from({ length: functions }, (_, place) => 1 / (place + 1));
  const sum = weights.reduce((all, one) => all + one, 0);
  return weights.map((one) => one / sum);
}

/** Simulates a watched load, judged once a second. */
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
