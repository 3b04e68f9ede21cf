import { NO_STACK, type FrameIndex, type StackIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';

/** A row of a call tree, reported once all rows below it are known. */
export interface IndentedRow {
  /** NO_STACK in an inverted tree. */
  readonly stack: StackIndex;
  /** Weights of the row including its subtree, as given. */
  readonly weights: readonly number[];
  /** Sums of the rows directly below it. */
  readonly below: readonly number[];
  /** Number of rows directly below it. */
  readonly children: number;
  readonly line: number;
}

interface OpenRow extends IndentedRow {
  readonly frame: FrameIndex | null;
  readonly below: number[];
  children: number;
}

/** A call tree that is printed row by row, each row with its depth and the weight of its subtree. */
export class IndentedTree {
  readonly #builder: ProfileBuilder;
  readonly #tell: (row: IndentedRow) => void;
  readonly #isInverted: boolean;
  readonly #open: OpenRow[] = [];

  /** `isInverted`: callers are below callees. */
  constructor(builder: ProfileBuilder, tell: (row: IndentedRow) => void, isInverted = false) {
    this.#builder = builder;
    this.#tell = tell;
    this.#isInverted = isInverted;
  }

  /** Returns the stack of the row that is being reported, of an inverted tree. */
  stackOfCallers(): StackIndex {
    return this.#builder.stackOf(this.#open.flatMap(({ frame }) => frame ?? []));
  }

  /**
   * `frame` is null for a row that is not a frame (a thread). Throws `ImportFailure` if a row is more than one level
   * deeper than the previous one.
   */
  add(depth: number, frame: FrameIndex | null, weights: readonly number[], line: number): void {
    if (depth > this.#open.length) {
      throw malformed('a row is indented more than one level deeper than the row above', line);
    }
    while (this.#open.length > depth) this.#close();
    const above = this.#open.at(-1);
    if (above !== undefined) {
      above.children += 1;
      weights.forEach((weight, column) => (above.below[column] = (above.below[column] ?? 0) + weight));
    }
    const caller = above?.stack ?? NO_STACK;
    const stack = frame === null || this.#isInverted ? caller : this.#builder.stack(caller, frame);
    this.#open.push({ frame, stack, weights, below: weights.map(() => 0), children: 0, line });
  }

  finish(): void {
    while (this.#open.length > 0) this.#close();
  }

  #close(): void {
    this.#tell(this.#open.at(-1)!);
    this.#open.pop();
  }
}
