import type { StackView } from '../../analyze/view/stack-view.ts';
import type { ValueType } from '../../model/profile.ts';
import type { CaptureFacts } from './capture-facts.ts';

/** A capture's rows with all that the statistics need of them. */
export interface MeasuredCapture {
  readonly view: StackView;
  /** Of the selected time. */
  readonly facts: CaptureFacts;
  readonly valueType: ValueType;
  readonly hasBlocks: boolean;
  /** Null where samples have no times. */
  readonly fine: FineBlocks | null;
  readonly isCount: boolean;
  /** 3, or 3 + {@link COARSE_BLOCKS}. */
  readonly columns: number;
  /** Row × columns: of samples that end in the row. */
  readonly self: Float64Array;
  /** By column: of all samples, those without a stack too. */
  readonly whole: Float64Array;
}

/** A capture's weights in the order of its fine time blocks. */
export interface FineBlocks {
  /** By block: where its samples begin; behind the last block, where they end. */
  readonly starts: Int32Array;
  /** By sample, block by block: its row, and its weight. Samples without a stack are left out. */
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  /** By block: all weight, that of samples without a stack too. */
  readonly totals: Float64Array;
}

/** Time blocks about their mean. Few, so that samples that lie close in time, and so hang together, fall into one. */
export const COARSE_BLOCKS = 8;
