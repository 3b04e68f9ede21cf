import { release } from '../release.ts';

/**
 * Append-only columns for building tables of unknown length. They grow in fixed chunks, so growth never copies, and
 * `finish()` joins them once. Only the first chunk starts small and grows, so that small tables stay small. Finishing
 * empties the column and releases its chunks one by one, so joining never holds the data twice.
 */
const CHUNK_BITS = 16;
const CHUNK_ROWS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_ROWS - 1;
const FIRST_ROWS = 256;

type ColumnArray = Int32Array | Float64Array | Uint8Array | Int16Array | BigUint64Array;
type ElementOf<A extends ColumnArray> = A extends BigUint64Array ? bigint : number;

export class ColumnBuilder<A extends ColumnArray> {
  readonly #create: (length: number) => A;
  #chunks: A[] = [];
  #last: A;
  length = 0;

  constructor(create: (length: number) => A) {
    this.#create = create;
    this.#last = create(0);
  }

  push(value: ElementOf<A>): void {
    const offset = this.length & CHUNK_MASK;
    if (offset === 0 || offset === this.#last.length) this.#grow(offset);
    this.#last[offset] = value;
    this.length += 1;
  }

  get(row: number): ElementOf<A> {
    return this.#chunks[row >>> CHUNK_BITS]![row & CHUNK_MASK] as ElementOf<A>;
  }

  set(row: number, value: ElementOf<A>): void {
    this.#chunks[row >>> CHUNK_BITS]![row & CHUNK_MASK] = value;
  }

  #grow(offset: number): void {
    if (offset === 0) {
      this.#last = this.#create(this.length === 0 ? FIRST_ROWS : CHUNK_ROWS);
      this.#chunks.push(this.#last);
    } else {
      const longer = this.#create(this.#last.length * 4);
      longer.set(this.#last as never);
      this.#last = longer;
      this.#chunks[0] = longer;
    }
  }

  /** Joins the chunks into one array of exactly `length` rows and empties the column. */
  finish(): A {
    const joined = this.#create(this.length);
    let row = 0;
    for (const chunk of this.#chunks) {
      const rows = Math.min(CHUNK_ROWS, this.length - row);
      joined.set((rows === CHUNK_ROWS ? chunk : chunk.subarray(0, rows)) as never, row);
      row += rows;
      if (joined.length > CHUNK_ROWS) release(chunk);
    }
    this.#chunks = [];
    this.length = 0;
    return joined;
  }
}

export const int32Column = (): ColumnBuilder<Int32Array> => new ColumnBuilder((length) => new Int32Array(length));
export const int16Column = (): ColumnBuilder<Int16Array> => new ColumnBuilder((length) => new Int16Array(length));
export const uint8Column = (): ColumnBuilder<Uint8Array> => new ColumnBuilder((length) => new Uint8Array(length));
export const float64Column = (): ColumnBuilder<Float64Array> => new ColumnBuilder((length) => new Float64Array(length));
export const bigUint64Column = (): ColumnBuilder<BigUint64Array> =>
  new ColumnBuilder((length) => new BigUint64Array(length));

/** Returns a column followed by more rows. */
export function joinColumns<A extends ColumnArray>(column: A, more: ArrayLike<ElementOf<A>>): A {
  const joined = new (column.constructor as new (length: number) => A)(column.length + more.length);
  joined.set(column as never);
  joined.set(more as never, column.length);
  return joined;
}
