/** Pairs per chunk. Chunks have a fixed size, so growth copies at most one. */
const CHUNK_BITS = 15;
const CHUNK_PAIRS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_PAIRS - 1;
/** Only the first chunk starts small and grows, so that small tables stay small. */
const FIRST_PAIRS = 256;

/** One side of a {@link PairTable}'s rows. */
interface PairColumn {
  readonly length: number;
  get(row: number): number;
  /** Returns all rows as one array. The table is empty once both sides are finished. */
  finish(): Int32Array<ArrayBuffer>;
}

/**
 * Interns pairs of 32-bit integers to dense rows: open addressing over row numbers. The two integers of a row are
 * adjacent, so that comparing a pair touches one cache line. Rehashing rebuilds from the rows, so the old slots are
 * freed before the new ones are filled.
 */
export class PairTable {
  length = 0;
  readonly first: PairColumn = this.#column(0);
  readonly second: PairColumn = this.#column(1);
  /** Row i at 2i: its first, then its second integer. */
  readonly #chunks: (Int32Array<ArrayBuffer> | null)[] = [];
  /** Row + 1; 0 is empty. */
  #slots = new Int32Array(1024);
  #mask = 1023;
  #finished = 0;

  intern(a: number, b: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = hashPair(a, b) & mask;
    for (;;) {
      const row = slots[slot]! - 1;
      if (row < 0) break;
      const chunk = this.#chunks[row >>> CHUNK_BITS]!;
      const at = (row & CHUNK_MASK) << 1;
      if (chunk[at] === a && chunk[at + 1] === b) return row;
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.length + 1;
    return this.#add(a, b);
  }

  #add(a: number, b: number): number {
    const row = this.length++;
    const at = (row & CHUNK_MASK) << 1;
    if (at === 0) this.#chunks.push(new Int32Array((row === 0 ? FIRST_PAIRS : CHUNK_PAIRS) * 2));
    else if (row < CHUNK_PAIRS && at === this.#chunks[0]!.length) this.#growFirst(this.#chunks[0]!);
    const chunk = this.#chunks[row >>> CHUNK_BITS]!;
    chunk[at] = a;
    chunk[at + 1] = b;
    if (row * 4 > this.#mask * 3) this.#grow();
    return row;
  }

  #growFirst(chunk: Int32Array<ArrayBuffer>): void {
    const longer = new Int32Array(Math.min(chunk.length * 4, CHUNK_PAIRS * 2));
    longer.set(chunk);
    this.#chunks[0] = longer;
  }

  #grow(): void {
    const mask = this.#mask * 2 + 1;
    const slots = new Int32Array(mask + 1);
    this.#slots = slots;
    this.#mask = mask;
    for (let row = 0; row < this.length; row++) {
      const chunk = this.#chunks[row >>> CHUNK_BITS]!;
      const at = (row & CHUNK_MASK) << 1;
      let slot = hashPair(chunk[at]!, chunk[at + 1]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
  }

  #column(side: 0 | 1): PairColumn {
    const length = (): number => this.length;
    return {
      get length() {
        return length();
      },
      get: (row) => this.#chunks[row >>> CHUNK_BITS]![((row & CHUNK_MASK) << 1) + side]!,
      finish: () => this.#finish(side),
    };
  }

  #finish(side: 0 | 1): Int32Array<ArrayBuffer> {
    this.#slots = new Int32Array(1);
    this.#finished += 1;
    const joined = new Int32Array(this.length);
    for (let row = 0; row < joined.length; row++) {
      joined[row] = this.#chunks[row >>> CHUNK_BITS]![((row & CHUNK_MASK) << 1) + side]!;
      if (this.#finished === 2 && (row & CHUNK_MASK) === CHUNK_MASK) this.#chunks[row >>> CHUNK_BITS] = null;
    }
    return joined;
  }
}

/** Returns a hash of two 32-bit numbers; signed. */
export function hashPair(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
