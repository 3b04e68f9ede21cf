import type { Latency, LatencyBucket, LatencyPopulation } from '../../contract/load/result.ts';

/** Answers whose latencies are above `from` and at most `to` seconds; equal: all have this latency. */
export interface LatencyCell {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** The slow population begins at this multiple of the fast one's maximum. */
export const GAP_FACTOR = 3;
/** Answers of the smaller population: at least this many, and this part of all. */
export const LEAST_ANSWERS = 5;
const LEAST_SHARE = 0.01;
/** Answers within the gap, as part of the smaller population. */
const MOST_BETWEEN = 0.1;

/**
 * Returns the populations of latencies, at least two, the fast one first: one below a and one above 3 a, where fewer
 * than a tenth as many answers lie between as in the smaller of them, which has at least 5 answers and 1 % of all. Of
 * several such gaps, the emptiest, then the one with the larger smaller population; then each side again. Answers
 * between count as the faster ones. Null without a gap. Cells are ascending.
 *
 * For one population whose tail falls like a power law with exponent α, the slowest k answers are 3 times as slow as
 * the next one with probability 3^(−αk) (Rényi), so at most 1 % of such runs have a false gap for α ≥ 1.
 */
export function populationsOf(cells: readonly LatencyCell[]): LatencyPopulation[] | null {
  const known = cells.filter(({ count }) => count > 0);
  const total = known.reduce((sum, { count }) => sum + count, 0);
  const least = Math.max(LEAST_ANSWERS, LEAST_SHARE * total);
  // Tools round the smallest latencies to 0, of which there is no multiple.
  const floor = known.find(({ to }) => to > 0)?.to ?? 0;
  const split = (from: number, to: number): LatencyPopulation[] => {
    const next = gapIn(known.slice(from, to), least, floor);
    return next === null
      ? [populationOf(known.slice(from, to), total)]
      : [...split(from, from + next), ...split(from + next, to)];
  };
  const found = known.length === 0 ? [] : split(0, known.length);
  return found.length < 2 ? null : found;
}

/** Returns where the slower side of the emptiest gap begins; null without one. */
function gapIn(cells: readonly LatencyCell[], least: number, floor: number): number | null {
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  let best: { readonly next: number; readonly part: number; readonly smaller: number } | null = null;
  let [below, before, next] = [0, 0, 0];
  for (const [last, cell] of cells.entries()) {
    below += cell.count;
    const end = GAP_FACTOR * Math.max(cell.to, floor);
    for (; next < cells.length && (next <= last || cells[next]!.from < end); next++) before += cells[next]!.count;
    const smaller = Math.min(below, total - before);
    if (smaller < least) continue;
    const part = (before - below) / smaller;
    if (part > MOST_BETWEEN) continue;
    if (best === null || part < best.part || (part === best.part && smaller > best.smaller))
      best = { next, part, smaller };
  }
  return best?.next ?? null;
}

function populationOf(cells: readonly LatencyCell[], total: number): LatencyPopulation {
  const own = cells.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  const middle = cells.find(({ count }) => (seen += count) >= own / 2)!;
  return {
    share: own / total,
    from: cells[0]!.from,
    to: cells.at(-1)!.to,
    median: middle.from === middle.to ? middle.to : null,
  };
}

/** Returns the latency with its populations by the histogram, unless they are known. */
export function withPopulations(latency: Latency): Latency {
  const { buckets, populations, min } = latency;
  if (populations !== undefined || buckets.length === 0) return latency;
  const found = populationsOf(cellsOf(buckets, min));
  return found === null ? latency : { ...latency, populations: found };
}

const cellsOf = (buckets: readonly LatencyBucket[], min: number | null): LatencyCell[] =>
  buckets.map(({ upTo, count }, place) => ({
    from: place === 0 ? Math.min(min ?? 0, upTo) : buckets[place - 1]!.upTo,
    to: upTo,
    count,
  }));
