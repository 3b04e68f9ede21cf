/** Maximum share of false discoveries in a family of tests, and the level of a single test. */
export const FALSE_DISCOVERY_RATE = 0.05;

interface FamilyResult {
  /** By test: the smallest false discovery rate at which it is a discovery. */
  readonly q: Float64Array;
  readonly discoveries: number;
  /** Level of the discoveries' intervals, 1 − rate × discoveries ÷ tests; that of all others is 1 − rate. */
  readonly level: number;
}

/**
 * Adjusts the p-values of one family by Benjamini & Hochberg's step-up procedure (1995). The level of the discoveries'
 * intervals is that of Benjamini & Yekutieli (2005): at this level, an interval excludes 0 exactly if its p-value made
 * the discovery possible.
 */
export function controlFamily(p: readonly number[], rate = FALSE_DISCOVERY_RATE): FamilyResult {
  const tests = p.length;
  const order = [...p.keys()].sort((a, b) => p[a]! - p[b]! || a - b);
  const q = new Float64Array(tests);
  let least = 1;
  let discoveries = 0;
  for (let place = tests - 1; place >= 0; place--) {
    const test = order[place]!;
    least = Math.min(least, (p[test]! * tests) / (place + 1));
    q[test] = least;
    if (discoveries === 0 && least <= rate) discoveries = place + 1;
  }
  return { q, discoveries, level: 1 - (tests === 0 ? rate : (rate * Math.max(1, discoveries)) / tests) };
}

/**
 * A family of functions spends its {@link FALSE_DISCOVERY_RATE} in two tiers: 80 % of it (4 %) on the functions that
 * have at least 2 % of the weight of both sides, the rest (1 %) on all others, so that hundreds of rare functions do
 * not hide the few that matter.
 */
export const HEAVY_SHARE = 0.02;
const TIERS = [
  { isHeavy: true, part: 0.8 },
  { isHeavy: false, part: 0.2 },
] as const;

export interface TieredResult {
  /** By test: the smallest rate of the whole family at which it is a discovery. */
  readonly q: Float64Array;
  /**
   * By test: 1 − rate of its tier × discoveries of its tier ÷ tests of its tier. At this level, the intervals of
   * discoveries exclude 0 and those of all other tests include it.
   */
  readonly level: Float64Array;
}

/** Applies {@link controlFamily} in two tiers. `shares` holds each test's share of the weight of both sides. */
export function controlTiers(p: readonly number[], shares: readonly number[]): TieredResult {
  const result = { q: new Float64Array(p.length), level: new Float64Array(p.length) };
  for (const { isHeavy, part } of TIERS) {
    const tier = [...p.keys()].filter((test) => shares[test]! >= HEAVY_SHARE === isHeavy);
    const { q, discoveries } = controlFamily(tier.map((test) => p[test]! / part));
    const level = 1 - (FALSE_DISCOVERY_RATE * part * Math.max(1, discoveries)) / Math.max(1, tier.length);
    tier.forEach((test, place) => {
      result.q[test] = q[place]!;
      result.level[test] = level;
    });
  }
  return result;
}
