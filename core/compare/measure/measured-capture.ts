import type { StackView } from '../../analyze/view/stack-view.ts';
import type { ValueType } from '../../model/profile.ts';
import type { CaptureFacts } from './capture-facts.ts';

/** A capture's rows with everything that the statistics need. */
export interface MeasuredCapture {
  readonly view: StackView;
  /** Facts of the selected time. */
  readonly facts: CaptureFacts;
  readonly valueType: ValueType;
  readonly hasBlocks: boolean;
  /** Null if samples have no times. */
  readonly fine: FineBlocks | null;
  readonly isCount: boolean;
  /** 3, or 3 + {@link COARSE_BLOCKS}. */
  readonly columns: number;
  /** Row × columns: sums over the samples that end in the row. */
  readonly self: Float64Array;
  /** By column: sums over all samples, including those without a stack. */
  readonly whole: Float64Array;
}

/** A capture's weights in the order of its fine time blocks. */
export interface FineBlocks {
  /** Start of each block's samples, followed by the end of the last block. */
  readonly starts: Int32Array;
  /** Row and weight of each sample, block by block. Samples without a stack are left out. */
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  /** By block: the whole weight, including samples without a stack. */
  readonly totals: Float64Array;
}

/**
 * Number of time blocks for the variance about their mean. Few, so that samples that are close in time, and therefore
 * correlated, fall into the same block.
 */
export const COARSE_BLOCKS = 8;
