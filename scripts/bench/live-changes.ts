import { evenShares, simulateLive, unevenShares, type SteadyLoad } from '../../tests/core/live/baseline/simulate.ts';

/**
 * Simulates live sessions of 100 functions with a pinned baseline: half an hour of unchanged load, and a load in which
 * one function doubles 20 minutes after the pin. Exits with 1 unless at most one of 20 seeds colours anything under
 * each unchanged load, and all seeds colour the doubled function within 30 s under the first (1 % of 2,000 samples/s).
 */

const SEEDS = 20;
const MINUTE = 60;
const CHANGED_AT = 20 * MINUTE;
const IN_TIME = 30;

const STEADY = { baseline: MINUTE, noise: 0, seconds: 30 * MINUTE, change: null } as const;
const loads: readonly (readonly [name: string, load: SteadyLoad, func: number])[] = [
  ['100 × 1 %, 2,000 samples/s', { ...STEADY, shares: evenShares(100), samplesPerSecond: 2000 }, 7],
  ['1/n, 2,000 samples/s, 2.8 % doubles', { ...STEADY, shares: unevenShares(100), samplesPerSecond: 2000 }, 6],
  [
    '1/n, 2,000 samples/s, rates ± 50 %, 2.8 % doubles',
    { ...STEADY, shares: unevenShares(100), samplesPerSecond: 2000, noise: 0.5 },
    6,
  ],
  ['1/n, 400 samples/s, 2.8 % doubles', { ...STEADY, shares: unevenShares(100), samplesPerSecond: 400 }, 6],
  ['1/n, 100 samples/s, 19 % doubles', { ...STEADY, shares: unevenShares(100), samplesPerSecond: 100 }, 0],
];

let isMissed = false;
for (const [place, [name, load, func]] of loads.entries()) {
  let coloured = 0;
  const found: number[] = [];
  for (let seed = 0; seed < SEEDS; seed++) {
    if (simulateLive(load, seed).isFalse) coloured += 1;
    const changed = {
      ...load,
      seconds: CHANGED_AT + 2 * MINUTE,
      change: { func, at: CHANGED_AT, factor: 2 },
    };
    found.push(simulateLive(changed, 1000 + seed).foundAfter ?? Infinity);
  }
  found.sort((a, b) => a - b);
  const inTime = found.filter((after) => after <= IN_TIME).length;
  if (coloured > 1 || (place === 0 && inTime < SEEDS)) isMissed = true;
  process.stdout.write(
    `${name}: ${coloured} of ${SEEDS} seeds coloured anything; found within ${IN_TIME} s in ${inTime}, median ${found[SEEDS / 2]} s, longest ${found.at(-1)} s\n`,
  );
}
process.exit(isMissed ? 1 : 0);
