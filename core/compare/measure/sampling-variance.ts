import { type FineBlocks, COARSE_BLOCKS, type MeasuredCapture } from './measured-capture.ts';
import type { Steps } from '../../steps.ts';

export const COARSE_FREEDOM = COARSE_BLOCKS - 1;

/**
 * Number of time blocks for successive differences: short blocks, so that a program's phases, which span many of them,
 * hardly count.
 */
export const FINE_BLOCKS = 64;

/**
 * Number of the largest differences that are replaced by the next largest one. They occur where a phase begins or ends,
 * which is not sampling error.
 */
const DROPPED = 4;
/** The replaced differences plus the one that replaces them. */
const KEPT = DROPPED + 1;

/** Degrees of freedom of a variance of B successive differences: 2 (B − 1)² ÷ (3 B − 4) (von Neumann 1941). */
export const FINE_FREEDOM = (2 * (FINE_BLOCKS - 1) ** 2) / (3 * FINE_BLOCKS - 4);

/** Sorts samples into {@link FineBlocks}. `blocks` holds the block of each sample, in any order. */
export function sortByBlock(
  blocks: Uint8Array,
  sampleRows: Int32Array,
  sampleWeights: Float64Array,
  isShown: (sample: number) => boolean,
): FineBlocks {
  const starts = new Int32Array(FINE_BLOCKS + 1);
  const totals = new Float64Array(FINE_BLOCKS);
  for (let sample = 0; sample < blocks.length; sample++) {
    if (!isShown(sample)) continue;
    totals[blocks[sample]!]! += sampleWeights[sample]!;
    if (sampleRows[sample]! >= 0) starts[blocks[sample]! + 1]! += 1;
  }
  for (let block = 0; block < FINE_BLOCKS; block++) starts[block + 1]! += starts[block]!;
  const next = starts.slice();
  const rows = new Int32Array(starts[FINE_BLOCKS]!);
  const weights = new Float64Array(rows.length);
  for (let sample = 0; sample < blocks.length; sample++) {
    if (!isShown(sample) || sampleRows[sample]! < 0) continue;
    const place = next[blocks[sample]!]!++;
    rows[place] = sampleRows[sample]!;
    weights[place] = sampleWeights[sample]!;
  }
  return { starts, rows, weights, totals };
}

/** Adds the weight of a sample, which ends in a row of the view, to the sums (of functions, call paths) that include it. */
export type AddSample = (sums: Float64Array, row: number, weight: number) => void;

/**
 * Returns the variance of each sum's weight by {@link SuccessiveDifferences}; null if the capture has no times. With
 * `shares`, each sum's share of the capture, it is the variance of the sum's excess over its share of each block. Null:
 * the variance of the plain weights.
 */
export function* fineVariances(
  { fine }: Pick<MeasuredCapture, 'fine'>,
  count: number,
  shares: Float64Array | null,
  addSample: AddSample,
): Steps<Float64Array | null> {
  if (fine === null) return null;
  const differences = new SuccessiveDifferences(count);
  const sums = new Float64Array(count);
  for (let block = 0; block < FINE_BLOCKS; block++) {
    sums.fill(0);
    for (let at = fine.starts[block]!; at < fine.starts[block + 1]!; at++) {
      addSample(sums, fine.rows[at]!, fine.weights[at]!);
    }
    if (shares !== null) for (let at = 0; at < count; at++) sums[at]! -= shares[at]! * fine.totals[block]!;
    differences.add(sums);
    yield;
  }
  return differences.variances();
}

/**
 * Computes the variance of sums over time from the differences between successive blocks, in one pass. Keeps the
 * previous block, the sum of squares and, separately, the largest squares. Slow changes and up to four abrupt ones do
 * not contribute.
 */
export class SuccessiveDifferences {
  readonly #count: number;
  readonly #previous: Float64Array;
  readonly #squares: Float64Array;
  /** Sum × {@link KEPT}, in descending order. */
  readonly #largest: Float64Array;
  #blocks = 0;

  constructor(count: number) {
    this.#count = count;
    this.#previous = new Float64Array(count);
    this.#squares = new Float64Array(count);
    this.#largest = new Float64Array(count * KEPT);
  }

  /** Adds the next block, by sum. */
  add(block: Float64Array): void {
    if (this.#blocks++ > 0) for (let at = 0; at < this.#count; at++) this.#insert(at, block[at]! - this.#previous[at]!);
    this.#previous.set(block);
  }

  #insert(at: number, difference: number): void {
    let square = difference * difference;
    const end = (at + 1) * KEPT;
    for (let place = at * KEPT; place < end && square > 0; place++) {
      const other = this.#largest[place]!;
      if (square <= other) continue;
      this.#largest[place] = square;
      square = other;
    }
    this.#squares[at]! += square;
  }

  /**
   * Returns the variance of each sum over all blocks; 0 if at most four differences are nonzero. Dropping the largest
   * differences entirely would remove most of the variance of samples that arrive in few bursts; for normally
   * distributed differences, both approaches yield 0.9 of the variance.
   */
  variances(): Float64Array {
    const scale = this.#blocks / (2 * (this.#blocks - 1));
    return this.#squares.map((squares, at) => scale * (squares + KEPT * this.#largest[at * KEPT + DROPPED]!));
  }
}

/** Estimates of a sampling variance, each the mean over a side's captures; NaN if unknown. */
export interface SamplingEvidence {
  /** From counts, as if each observation occurred independently; 0 if weights are not counts. */
  readonly count: number;
  /** From 8 time blocks about their mean; `count` if samples have no times. */
  readonly coarse: number;
  /** From the differences of 64 successive time blocks; `count` if samples have no times. */
  readonly fine: number;
}

/**
 * min(coarse, max(count, fine)). A program's phases repeat in every run and are not an error, but coarse blocks include
 * them. Samples that arrive in bursts are not independent observations, which counts do not see. Swings that are slower
 * than fine blocks and do not repeat in every run are differences between captures.
 */
export const samplingVariance = ({ count, coarse, fine }: SamplingEvidence): number =>
  Math.min(coarse, Math.max(count, fine));
