import type { CaptureFactor, Normalisation } from './capture-facts.ts';
import { BLOCKS, COLUMN, type MeasuredCapture } from './measure-capture.ts';
import type { CaptureDesign, SideMeasures } from './measures.ts';

/** Sums of one capture by row (functions, call paths). */
export interface CaptureColumns {
  readonly capture: MeasuredCapture;
  readonly factor: CaptureFactor;
  /** Row × columns, as {@link MeasuredCapture}.self has them. */
  readonly sums: Float64Array;
}

/**
 * Normalised values of one side with their sampling variances. `perWeight`: observations per normalised weight of a capture without any
 * samples, which can't tell its own.
 */
export function sideMeasures(
  captures: readonly CaptureColumns[],
  rows: number,
  kind: Normalisation,
  perWeight: number,
): SideMeasures {
  const value = new Float64Array(rows * captures.length);
  const variance = new Float64Array(rows * captures.length);
  const samples = new Float64Array(rows * captures.length);
  captures.forEach(({ capture, factor, sums }, place) => {
    const varianceOf = kind === 'share' ? shareVariance : sumVariance;
    for (let row = 0; row < rows; row++) {
      const at = row * captures.length + place;
      const first = row * capture.columns;
      value[at] = normalisedValue(sums[first + COLUMN.weight]!, factor);
      variance[at] = normalisedValue(normalisedValue(varianceOf(capture, sums, first), factor), factor);
      samples[at] = sums[first + COLUMN.samples]!;
    }
  });
  return {
    rows,
    captures: captures.map((one) => designOf(one, perWeight)),
    value,
    variance: captures.every(({ capture }) => capture.hasBlocks || capture.isCount) ? variance : null,
    samples,
  };
}

export const normalisedValue = (weight: number, { scale, exposure }: CaptureFactor): number =>
  exposure === 0 ? 0 : (weight * scale) / exposure;

/** Observations per normalised weight, over all captures that have any. */
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
    // What could have been counted, not weighed: at another rate, the same time on CPU is another number of samples.
    exposure: factor.exposure * (weight > 0 ? capture.whole[COLUMN.samples]! / weight : perWeight),
    freedom: capture.hasBlocks ? BLOCKS - 1 : Infinity,
    isCount: capture.isCount,
  };
}

/** Of a row's weight: from its sums by time block (variance of a sum of equally long parts), else from its counts. */
function sumVariance({ hasBlocks }: MeasuredCapture, sums: Float64Array, first: number): number {
  if (!hasBlocks) return sums[first + COLUMN.squares]!;
  const mean = sums[first + COLUMN.weight]! / BLOCKS;
  let squares = 0;
  for (let block = 0; block < BLOCKS; block++) squares += (sums[first + COLUMN.firstBlock + block]! - mean) ** 2;
  return (BLOCKS / (BLOCKS - 1)) * squares;
}

/**
 * Of a row's weight as part of the capture's, times the square of the latter: a ratio of two sums, linearised (Cochran, Sampling
 * Techniques, 6.3): the variance of what the row has beyond its share of each block.
 */
function shareVariance({ hasBlocks, isCount, whole }: MeasuredCapture, sums: Float64Array, first: number): number {
  const total = whole[COLUMN.weight]!;
  // All of a capture is all of it, however often it is repeated.
  if (total === 0 || sums === whole) return 0;
  const weight = sums[first + COLUMN.weight]!;
  // Of a row that has all, time blocks say nothing.
  const isAll = weight === total && isCount;
  if (!hasBlocks || isAll) return countShareVariance(weight, sums[first + COLUMN.squares]!, whole);
  const share = weight / total;
  let squares = 0;
  for (let column = COLUMN.firstBlock; column < COLUMN.firstBlock + BLOCKS; column++) {
    squares += (sums[first + column]! - share * whole[column]!) ** 2;
  }
  return (BLOCKS / (BLOCKS - 1)) * squares;
}

/**
 * As of a row that has one observation more, in a capture that has one more beside it (Agresti & Caffo, The American Statistician 54, 2000):
 * five samples of five are no proof of 100 %.
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
