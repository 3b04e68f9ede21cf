import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';
import { ImportFailure } from '../../model/failure.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';

/** A row of a call tree, once all rows below it are known. */
export interface IndentedRow {
  readonly stack: StackIndex;
  /** Of the row with all below it, as given. */
  readonly weights: readonly number[];
  /** Sums of the rows directly below it. */
  readonly below: readonly number[];
  /** How many rows are directly below it. */
  readonly children: number;
  readonly line: number;
}

interface OpenRow {
  readonly stack: StackIndex;
  readonly weights: readonly number[];
  readonly below: number[];
  children: number;
  readonly line: number;
}

/** A call tree that is printed row by row, callers above what they call, each row with a depth and with the weight of all below it. */
export class IndentedTree {
  readonly #builder: ProfileBuilder;
  readonly #tell: (row: IndentedRow) => void;
  readonly #open: OpenRow[] = [];

  constructor(builder: ProfileBuilder, tell: (row: IndentedRow) => void) {
    this.#builder = builder;
    this.#tell = tell;
  }

  /** `frame`: null for a row that is no frame (a thread). Throws `ImportFailure` where a row is more than one deeper than the one above it. */
  add(depth: number, frame: FrameIndex | null, weights: readonly number[], line: number): void {
    if (depth > this.#open.length) {
      throw new ImportFailure('malformed', 'a row is indented more than one level deeper than the row above', { line });
    }
    while (this.#open.length > depth) this.#close();
    const above = this.#open.at(-1);
    if (above !== undefined) {
      above.children += 1;
      weights.forEach((weight, column) => (above.below[column] = (above.below[column] ?? 0) + weight));
    }
    const caller = above?.stack ?? NO_STACK;
    const stack = frame === null ? caller : this.#builder.stack(caller, frame);
    this.#open.push({ stack, weights, below: weights.map(() => 0), children: 0, line });
  }

  finish(): void {
    while (this.#open.length > 0) this.#close();
  }

  #close(): void {
    this.#tell(this.#open.pop()!);
  }
}
