import { studentQuantile } from '#core/compare/statistics/student.ts';

/** Both sides of a pair of runs, recorded next to each other: CPU time, or another value that should be small. */
export interface Pair {
  readonly good: number;
  readonly tested: number;
}

/** Pairs of runs of the good commit and of the commit at a place in the history. */
export interface Tested {
  /** 0 is the good commit's first child, the last the bad commit. */
  readonly place: number;
  readonly pairs: readonly Pair[];
}

/** What the pairs so far say about the commit that changed the value. */
export interface ChangePoint {
  /** By place: the probability that it is the first changed commit. Adds up to 1. */
  readonly posterior: readonly number[];
  /** Change of the value, relative to that of the good commit, from good to bad. */
  readonly change: number;
  /** Whether the bad commit is shown to differ from the good one, see {@link ENDS_LEVEL}. */
  readonly isShown: boolean;
}

/** Pairs of the bad commit that are needed before anything is said. */
export const LEAST_PAIRS = 4;
/** Looks at the ends of the history until their difference is shown, or the bisection gives up. */
export const MOST_ENDS_LOOKS = 10;
/** Error of each look (two-sided); all of them have 1 % together, by Bonferroni. */
const ENDS_LEVEL = 0.01 / MOST_ENDS_LOOKS;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Relative differences of pairs: drift of the machine affects both runs of a pair alike. */
const differences = (pairs: readonly Pair[]): number[] => pairs.map(({ good, tested }) => Math.log(tested / good));

/**
 * Returns the probability of each place by Bayes, from an even prior. A commit before the change is like the good one,
 * a commit from it on like the bad one: differences of pairs, as logarithms, are normal around 0 or around the change,
 * whose own error is added to the variance. The variance is pooled over all tested commits, each around its own mean,
 * and widened for its few degrees of freedom. Null below {@link LEAST_PAIRS} pairs of the bad commit.
 */
export function changePoint(places: number, tested: readonly Tested[]): ChangePoint | null {
  const ofBad = differences(tested.filter(({ place }) => place === places - 1).flatMap(({ pairs }) => pairs));
  if (ofBad.length < LEAST_PAIRS) return null;
  const change = meanOf(ofBad);
  const groups = [...new Set(tested.map(({ place }) => place))].map((place) =>
    differences(tested.filter((one) => one.place === place).flatMap(({ pairs }) => pairs)),
  );
  const squares = groups.reduce(
    (sum, group) => sum + group.reduce((all, one) => all + (one - meanOf(group)) ** 2, 0),
    0,
  );
  const freedom = groups.reduce((sum, group) => sum + group.length - 1, 0);
  // The mean of 1 ÷ χ² is 1 ÷ (freedom − 2).
  const variance = Math.max(squares / Math.max(1, freedom - 2), Number.MIN_VALUE);
  const logs = new Float64Array(places);
  for (const { place, pairs } of tested) {
    if (place === places - 1 || pairs.length === 0) continue;
    const mean = meanOf(differences(pairs));
    const spread = variance / pairs.length;
    const fit = (at: number, of: number): number => -((mean - at) ** 2) / (2 * of) - Math.log(of) / 2;
    const evidence = fit(change, spread + variance / ofBad.length) - fit(0, spread);
    // Changed already at this place: the first changed commit is here or before.
    for (let first = 0; first <= place; first++) logs[first]! += evidence;
  }
  const most = Math.max(...logs);
  const weights = Array.from(logs, (log) => Math.exp(log - most));
  const sum = weights.reduce((all, one) => all + one, 0);
  return {
    posterior: weights.map((weight) => weight / sum),
    change: Math.expm1(change),
    isShown: Math.abs(change) > studentQuantile(ENDS_LEVEL, freedom) * Math.sqrt(variance / ofBad.length),
  };
}

/** A test of a place with so little probability on one side of it tells nothing. */
const LEAST_SPLIT = 0.005;

/**
 * Returns the place to test next: the one that splits the probability most evenly. `without`: places that can't be
 * built. Null if no test can tell the likely places apart.
 */
export function nextPlace(posterior: readonly number[], without: ReadonlySet<number>): number | null {
  let best: number | null = null;
  let least = Infinity;
  let below = 0;
  for (let place = 0; place < posterior.length - 1; place++) {
    below += posterior[place]!;
    const distance = Math.abs(below - 0.5);
    if (without.has(place) || distance >= least || distance > 0.5 - LEAST_SPLIT) continue;
    [best, least] = [place, distance];
  }
  return best;
}

/**
 * Returns the fewest neighbouring places around the most likely one that have the probability together, first and last.
 * One place names the commit.
 */
export function credible(posterior: readonly number[], probability: number): readonly [number, number] {
  let first = posterior.indexOf(Math.max(...posterior));
  let last = first;
  let sum = posterior[first]!;
  while (sum < probability && (first > 0 || last < posterior.length - 1)) {
    const [before, after] = [posterior[first - 1] ?? -1, posterior[last + 1] ?? -1];
    sum += Math.max(before, after);
    if (before > after) first -= 1;
    else last += 1;
  }
  return [first, last];
}
