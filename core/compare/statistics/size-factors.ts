import type { ComparisonDesign, SideMeasures } from '../measure/measures.ts';
import type { MeasuredPair } from './judge-metrics.ts';

/** Minimum mean number of samples per capture of a function that informs the factors. */
const LEAST_SAMPLES = 10;
/** Minimum number of such functions. */
const LEAST_FUNCTIONS = 8;
/** Share of the functions that is dropped at each end, as in TMM: those that changed most. */
const TRIMMED = 0.3;
/** Minimum share of the functions that must be left without those that changed. */
const LEAST_LEFT = 2 / 3;

/** By capture of each side: the logarithm of its size factor. The mean over the used captures is 0. */
export interface SizeFactors {
  readonly before: Float64Array;
  readonly after: Float64Array;
}

export type NoFactors = 'too few functions' | 'no common reference';

/** A function's logarithms, by used capture. */
interface Witness {
  /** log(samples + ½) less its mean over all captures. */
  readonly logs: readonly number[];
  readonly counts: readonly number[];
  readonly mean: number;
}

/**
 * Estimates by how much each capture as a whole is larger than the others, from its typical functions: the trimmed and
 * weighted mean of log ratios (median of ratios, Anders & Huber 2010; TMM, Robinson & Oshlack 2010). `changed`: functions
 * that a first pass found to have changed, which do not inform the factors.
 */
export function estimateSizes(
  { before, after }: MeasuredPair,
  design: ComparisonDesign,
  changed: ReadonlySet<number> | null = null,
): SizeFactors | NoFactors {
  const used = [usedColumns(before, design.before), usedColumns(after, design.after)].flat();
  const all = [...Array(before.rows).keys()].flatMap((row) => witnessOf(used, row) ?? []);
  if (all.length < LEAST_FUNCTIONS) return 'too few functions';
  const witnesses = changed === null ? all : all.filter(({ row }) => !changed.has(row));
  if (witnesses.length < LEAST_LEFT * all.length) return 'no common reference';
  const means = witnesses.map(({ mean }) => mean).sort((a, b) => a - b);
  // Without a limit, a single function of most of the weight would determine the factor.
  const most = means[Math.floor(0.75 * (means.length - 1))]! / 2;
  const logs = used.map((_, capture) => typicalLog(witnesses, capture, most));
  const middle = meanOf(logs);
  const factors = {
    before: new Float64Array(before.captures.length),
    after: new Float64Array(after.captures.length),
  };
  used.forEach(({ side, place }, capture) => {
    factors[side === before ? 'before' : 'after'][place] = logs[capture]! - middle;
  });
  return factors;
}

interface UsedCapture {
  readonly side: SideMeasures;
  readonly place: number;
}

const usedColumns = (side: SideMeasures, { groups }: ComparisonDesign['before']): UsedCapture[] =>
  groups.flat().map((place) => ({ side, place }));

/** Returns null if the function is too rare. */
function witnessOf(used: readonly UsedCapture[], row: number): (Witness & { readonly row: number }) | null {
  const at = (of: 'value' | 'samples'): number[] =>
    used.map(({ side, place }) => side[of][row * side.captures.length + place]!);
  const [values, samples] = [at('value'), at('samples')];
  const mean = meanOf(samples);
  const value = meanOf(values);
  if (!(mean >= LEAST_SAMPLES && value > 0)) return null;
  // In samples of the same exposure, whatever the captures' durations and units are.
  const counts = values.map((one) => Math.max(0, (one * mean) / value));
  const own = counts.map((count) => Math.log(count + 0.5));
  const middle = meanOf(own);
  return { row, counts, mean, logs: own.map((log) => log - middle) };
}

/** Returns the trimmed mean of the functions' logarithms, each weighted by its certainty up to `most`. */
function typicalLog(witnesses: readonly Witness[], capture: number, most: number): number {
  const order = [...witnesses].sort((a, b) => a.logs[capture]! - b.logs[capture]!);
  const trimmed = Math.floor(TRIMMED * order.length);
  let sum = 0;
  let weights = 0;
  for (const { logs, counts, mean } of order.slice(trimmed, order.length - trimmed)) {
    const weight = Math.min(1 / (1 / (counts[capture]! + 0.5) + 1 / mean), most);
    sum += weight * logs[capture]!;
    weights += weight;
  }
  return sum / weights;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
