/** Rows per chunk: fixed chunks, so that growth never copies. */
const CHUNK_BITS = 14;
const CHUNK_ROWS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_ROWS - 1;
/** A row's integers: parent, frame, hash. */
const STRIDE = 3;

/** Hash of the empty stack, where {@link hashStack} starts. Not 0: 0 with frame 0 hashes to 0 again, so recursion of frame 0 would collide. */
export const EMPTY_STACK_HASH = 0x2545f491;

/** Hash of a stack from its caller's hash and its last frame. */
export function hashStack(parentHash: number, frame: number): number {
  const mixed = Math.imul(parentHash ^ frame, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/**
 * Interns stacks, as (parent, frame) pairs, to dense rows: open addressing over row numbers. The hash is that of the whole stack, not of
 * the pair, so that a loop over frames can hash on while earlier look-ups still wait for memory: the walk is bound by cache misses, and
 * this way they overlap. Equality is decided by the pair.
 */
export class StackRows {
  length = 0;
  #chunks: Int32Array[] = [];
  /** row + 1; 0 is empty. */
  #slots = new Int32Array(1024);
  #mask = 1023;

  /** `parent`: −1 at the root. `hash`: {@link hashStack} of the parent's hash and `frame`. */
  intern(parent: number, frame: number, hash: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = hash & mask;
    for (;;) {
      const row = slots[slot]! - 1;
      if (row < 0) break;
      const chunk = this.#chunks[row >>> CHUNK_BITS]!;
      const at = (row & CHUNK_MASK) * STRIDE;
      if (chunk[at] === parent && chunk[at + 1] === frame) return row;
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.length + 1;
    return this.#add(parent, frame, hash);
  }

  hashOf(row: number): number {
    return row < 0 ? EMPTY_STACK_HASH : this.#at(row, 2);
  }

  /** The two columns. The table is empty afterwards. */
  finish(): { parent: Int32Array<ArrayBuffer>; frame: Int32Array<ArrayBuffer> } {
    this.#slots = new Int32Array(1024);
    this.#mask = 1023;
    const parent = new Int32Array(this.length);
    const frame = new Int32Array(this.length);
    for (let row = 0; row < parent.length; row++) {
      parent[row] = this.#at(row, 0);
      frame[row] = this.#at(row, 1);
    }
    this.#chunks = [];
    this.length = 0;
    return { parent, frame };
  }

  #at(row: number, column: number): number {
    return this.#chunks[row >>> CHUNK_BITS]![(row & CHUNK_MASK) * STRIDE + column]!;
  }

  #add(parent: number, frame: number, hash: number): number {
    const row = this.length++;
    const at = (row & CHUNK_MASK) * STRIDE;
    if (at === 0) this.#chunks.push(new Int32Array(CHUNK_ROWS * STRIDE));
    const chunk = this.#chunks[row >>> CHUNK_BITS]!;
    chunk[at] = parent;
    chunk[at + 1] = frame;
    chunk[at + 2] = hash;
    if (row * 4 > this.#mask * 3) this.#grow();
    return row;
  }

  #grow(): void {
    const mask = this.#mask * 2 + 1;
    const slots = new Int32Array(mask + 1);
    this.#slots = slots;
    this.#mask = mask;
    for (let row = 0; row < this.length; row++) {
      let slot = this.#at(row, 2) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
  }
}
