import type { Normalisation } from '../../contract/normalisation.ts';
import { replicatesOf, type CaptureFactor } from './capture-facts.ts';
import { COLUMN } from './measure-capture.ts';
import type { Steps } from '../../steps.ts';
import type { CaptureDesign, SideMeasures } from './measures.ts';
import { COARSE_BLOCKS, type MeasuredCapture } from './measured-capture.ts';
import { COARSE_FREEDOM, fineVariances, type AddSample, type SamplingEvidence } from './sampling-variance.ts';

/** Sums of one capture by row (functions, call paths). */
export interface CaptureColumns {
  readonly capture: MeasuredCapture;
  readonly factor: CaptureFactor;
  /** Row × columns, like {@link MeasuredCapture}.self. */
  readonly sums: Float64Array;
  /**
   * By row: variance by successive differences, of its weight or (for shares) of its excess over its share; null
   * without times.
   */
  readonly fine: Float64Array | null;
}

/**
 * Returns the columns of a capture and the variances derived from its times. `addSample` adds one sample to the same
 * sums.
 */
export function* captureColumns(
  capture: MeasuredCapture,
  factor: CaptureFactor,
  sums: Float64Array,
  kind: Normalisation,
  addSample: AddSample,
): Steps<CaptureColumns> {
  const { columns, whole } = capture;
  const total = whole[COLUMN.weight]!;
  const rows = sums.length / columns;
  const shareOf = (row: number): number => (total === 0 ? 0 : sums[row * columns + COLUMN.weight]! / total);
  const shares = kind === 'share' ? Float64Array.from({ length: rows }, (_, row) => shareOf(row)) : null;
  return { capture, factor, sums, fine: yield* fineVariances(capture, rows, shares, addSample) };
}

/** Returns each capture's part in the value of its replicate: that of its exposure, such as its worker's requests. */
export function partsInReplicates(
  replicates: readonly (readonly number[])[],
  exposures: readonly number[],
): Float64Array {
  const parts = new Float64Array(exposures.length);
  for (const places of replicates) {
    const all = places.reduce((sum, place) => sum + exposures[place]!, 0);
    for (const place of places) parts[place] = all === 0 ? 1 / places.length : exposures[place]! / all;
  }
  return parts;
}

/**
 * Returns the measures by replicate instead of by capture: values are means by {@link partsInReplicates}, whose sampling
 * errors are independent.
 */
export function mergeReplicates(
  { rows, captures, value, sampling, samples }: SideMeasures,
  replicates: readonly (readonly number[])[],
  parts: Float64Array,
): SideMeasures {
  const merged = (of: Float64Array, power: 0 | 1 | 2): Float64Array => {
    const sums = new Float64Array(rows * replicates.length);
    for (let row = 0; row < rows; row++) {
      replicates.forEach((places, at) => {
        let sum = 0;
        for (const place of places) sum += parts[place]! ** power * of[row * captures.length + place]!;
        sums[row * replicates.length + at] = sum;
      });
    }
    return sums;
  };
  return {
    rows,
    captures: replicates.map((places): CaptureDesign => {
      const own = places.map((place) => captures[place]!);
      return {
        host: own[0]!.host,
        exposure: own.reduce((sum, { exposure }) => sum + exposure, 0),
        isTimed: own.every(({ isTimed }) => isTimed),
        isCount: own.every(({ isCount }) => isCount),
      };
    }),
    value: merged(value, 1),
    sampling: sampling && {
      count: merged(sampling.count, 2),
      coarse: merged(sampling.coarse, 2),
      fine: merged(sampling.fine, 2),
    },
    samples: merged(samples, 0),
  };
}

/**
 * Returns the normalised values of one side with their sampling variances, by replicate. `perWeight` is the number of observations
 * per normalised weight, for captures without samples, which can't determine their own.
 */
export function sideMeasures(
  captures: readonly CaptureColumns[],
  rows: number,
  kind: Normalisation,
  perWeight: number,
): SideMeasures {
  const column = (): Float64Array => new Float64Array(rows * captures.length);
  const [value, samples] = [column(), column()];
  const sampling = { count: column(), coarse: column(), fine: column() };
  captures.forEach(({ capture, factor, sums, fine }, place) => {
    const evidenceOf = kind === 'share' ? shareEvidence : sumEvidence;
    const squared = (variance: number): number => normalisedValue(normalisedValue(variance, factor), factor);
    for (let row = 0; row < rows; row++) {
      const at = row * captures.length + place;
      const first = row * capture.columns;
      const evidence = evidenceOf(capture, sums, first, fine === null ? 0 : fine[row]!);
      value[at] = normalisedValue(sums[first + COLUMN.weight]!, factor);
      sampling.count[at] = squared(evidence.count);
      sampling.coarse[at] = squared(evidence.coarse);
      sampling.fine[at] = squared(evidence.fine);
      samples[at] = sums[first + COLUMN.samples]!;
    }
  });
  const measures = {
    rows,
    captures: captures.map((one) => designOf(one, perWeight)),
    value,
    sampling: captures.every(({ capture }) => capture.hasBlocks || capture.isCount) ? sampling : null,
    samples,
  };
  const replicates = replicatesOf(captures.map(({ capture }) => capture.facts));
  if (replicates.length === captures.length) return measures;
  const exposures = captures.map(({ factor }) => factor.exposure);
  return mergeReplicates(measures, replicates, partsInReplicates(replicates, exposures));
}

export const normalisedValue = (weight: number, { scale, exposure }: CaptureFactor): number =>
  exposure === 0 ? 0 : (weight * scale) / exposure;

/** Returns the observations per normalised weight over all captures that have any. */
export function observationsPerWeight(captures: readonly CaptureColumns[]): number {
  let observations = 0;
  let weight = 0;
  for (const { capture, factor } of captures) {
    observations += capture.whole[COLUMN.samples]!;
    weight += capture.whole[COLUMN.weight]! * factor.scale;
  }
  return weight > 0 ? observations / weight : 1;
}

function designOf({ capture, factor }: CaptureColumns, perWeight: number): CaptureDesign {
  const weight = capture.whole[COLUMN.weight]! * factor.scale;
  return {
    host: capture.facts.host,
    // Exposure in countable observations instead of weight: at another rate, the same time on CPU is another number of
    // samples.
    exposure: factor.exposure * (weight > 0 ? capture.whole[COLUMN.samples]! / weight : perWeight),
    isTimed: capture.hasBlocks,
    isCount: capture.isCount,
  };
}

/** Returns the evidence about a row's weight. */
function sumEvidence(capture: MeasuredCapture, sums: Float64Array, first: number, fine: number): SamplingEvidence {
  const count = sums[first + COLUMN.squares]!;
  if (!capture.hasBlocks) return { count, coarse: count, fine: count };
  const mean = sums[first + COLUMN.weight]! / COARSE_BLOCKS;
  return { count, coarse: coarseVariance(sums, first, () => mean), fine };
}

/**
 * Returns the evidence about a row's share of the capture, times the square of the capture's weight. A share is a ratio
 * of two sums, linearised (Cochran, Sampling Techniques, 6.3): the variance of the row's excess over its share of each
 * block.
 */
function shareEvidence(
  { hasBlocks, isCount, whole }: MeasuredCapture,
  sums: Float64Array,
  first: number,
  fine: number,
): SamplingEvidence {
  const total = whole[COLUMN.weight]!;
  // The share of the whole capture is always 1.
  if (total === 0 || sums === whole) return { count: 0, coarse: 0, fine: 0 };
  const weight = sums[first + COLUMN.weight]!;
  const count = isCount ? countShareVariance(weight, sums[first + COLUMN.squares]!, whole) : 0;
  // For a row that has all the weight, time blocks say nothing.
  const isAll = weight === total && isCount;
  if (!hasBlocks || isAll) return { count, coarse: count, fine: count };
  const share = weight / total;
  return { count, coarse: coarseVariance(sums, first, (column) => share * whole[column]!), fine };
}

/** Returns the variance of a sum of equally long parts, from each part's deviation from its expected value. */
function coarseVariance(sums: Float64Array, first: number, expected: (column: number) => number): number {
  let squares = 0;
  for (let column = COLUMN.firstBlock; column < COLUMN.firstBlock + COARSE_BLOCKS; column++) {
    squares += (sums[first + column]! - expected(column)) ** 2;
  }
  return (COARSE_BLOCKS / COARSE_FREEDOM) * squares;
}

/**
 * Adds one observation to the row and one to the rest of the capture (Agresti & Caffo, The American Statistician 54,
 * 2000): five samples of five do not prove 100 %.
 */
function countShareVariance(weight: number, own: number, whole: Float64Array): number {
  const total = whole[COLUMN.weight]!;
  const squares = whole[COLUMN.squares]!;
  const one = squares / total;
  const sum = total + 2 * one;
  const share = (weight + one) / sum;
  const variance = (1 - 2 * share) * (own + one * one) + share * share * (squares + 2 * one * one);
  return Math.max(0, variance) * (total / sum) ** 2;
}
