import { type FineBlocks, COARSE_BLOCKS } from '../measure/measured-capture.ts';
import type { MeasuredCapture } from '../measure/measured-capture.ts';

export const COARSE_FREEDOM = COARSE_BLOCKS - 1;

/** Time blocks of successive differences: short, so that a program's phases, which last for many of them, hardly count. */
export const FINE_BLOCKS = 64;

/** Differences that count as the next largest does: where a phase begins or ends, they are no sampling error. */
const DROPPED = 4;
/** Those, and the one that stands in for them. */
const KEPT = DROPPED + 1;

/** Degrees of freedom of a variance of B successive differences: 2 (B − 1)² ÷ (3 B − 4) (von Neumann 1941). */
export const FINE_FREEDOM = (2 * (FINE_BLOCKS - 1) ** 2) / (3 * FINE_BLOCKS - 4);

/** Collects {@link FineBlocks}. `blocks`: of each sample, in any order. */
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

/** Sums of what a statistic is about (functions, call paths) from the weights of a view's rows; adds to `sums`. */
export type SumRows = (rows: Float64Array, sums: Float64Array) => void;

/**
 * Variance of each sum's weight by {@link SuccessiveDifferences}; null where the capture has no times. `shares`: by sum, its part of the
 * capture; then the variance is of what a sum has beyond its share of each block. Null: of the weights as they are.
 */
export function fineVariances(
  { fine, view }: Pick<MeasuredCapture, 'fine' | 'view'>,
  count: number,
  shares: Float64Array | null,
  sumRows: SumRows,
): Float64Array | null {
  if (fine === null) return null;
  const differences = new SuccessiveDifferences(count);
  const rows = new Float64Array(view.length);
  const sums = new Float64Array(count);
  for (let block = 0; block < FINE_BLOCKS; block++) {
    rows.fill(0);
    sums.fill(0);
    for (let at = fine.starts[block]!; at < fine.starts[block + 1]!; at++) rows[fine.rows[at]!]! += fine.weights[at]!;
    sumRows(rows, sums);
    if (shares !== null) for (let at = 0; at < count; at++) sums[at]! -= shares[at]! * fine.totals[block]!;
    differences.add(sums);
  }
  return differences.variances();
}

/**
 * Variance of sums over time by what blocks differ from the one before, in one pass: the previous block, the sum of the squares, and apart
 * from it the largest ones. What changes slowly, or four times, is no part of it.
 */
export class SuccessiveDifferences {
  readonly #count: number;
  readonly #previous: Float64Array;
  readonly #squares: Float64Array;
  /** Sum × {@link KEPT}, falling. */
  readonly #largest: Float64Array;
  #blocks = 0;

  constructor(count: number) {
    this.#count = count;
    this.#previous = new Float64Array(count);
    this.#squares = new Float64Array(count);
    this.#largest = new Float64Array(count * KEPT);
  }

  /** The next block, by sum. */
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
   * Of the sum over all blocks; 0 where no more than four differences are not 0. Left out altogether, the largest would take away most of
   * what samples that come in few bursts vary; for normal differences, both come to 0.9 of the variance.
   */
  variances(): Float64Array {
    const scale = this.#blocks / (2 * (this.#blocks - 1));
    return this.#squares.map((squares, at) => scale * (squares + KEPT * this.#largest[at * KEPT + DROPPED]!));
  }
}

/** What is known of a sampling variance, each the mean over a side's captures; NaN where nothing is. */
export interface SamplingEvidence {
  /** Of counts, as if each observation came by chance; 0 where weights are no counts. */
  readonly count: number;
  /** Of 8 time blocks about their mean; `count` where samples have no times. */
  readonly coarse: number;
  /** Of 64 time blocks about the one before; `count` where samples have no times. */
  readonly fine: number;
}

/**
 * min(coarse, max(count, fine)). A program's phases repeat in every run, and are no error: coarse blocks count them. Samples that come in
 * bursts are no independent observations: counts do not see them. Swings that are slower than fine blocks and repeat in no run are
 * what captures differ by.
 */
export const samplingVariance = ({ count, coarse, fine }: SamplingEvidence): number =>
  Math.min(coarse, Math.max(count, fine));
