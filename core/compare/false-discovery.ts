/** Share of false discoveries that a family of tests is held to, and the level of a single test. */
export const FALSE_DISCOVERY_RATE = 0.05;

export interface FamilyResult {
  /** By test: the least false discovery rate at which it is a discovery. */
  readonly q: Float64Array;
  readonly discoveries: number;
  /** Level of the intervals of discoveries, 1 − rate × discoveries ÷ tests; of all others it is 1 − rate. */
  readonly level: number;
}

/**
 * Benjamini & Hochberg's step-up procedure (1995) over one family of p-values, as adjusted values. The level of the discoveries'
 * intervals is that of Benjamini & Yekutieli (2005): at it, an interval leaves out 0 exactly where its p-value made the discovery possible.
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
