import { release } from '../release.ts';

/** Rows per chunk. Chunks have a fixed size, so growth never copies. */
const CHUNK_BITS = 14;
const CHUNK_ROWS = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK_ROWS - 1;
/** A row's integers: parent, frame, hash. */
const STRIDE = 3;

const FIRST_SLOTS = 1024;
/**
 * 8 MiB. Up to this size slots grow fourfold, because moving rows is what makes growth expensive; beyond it, memory
 * matters more.
 */
const MAX_QUICK_SLOTS = 2 ** 20;

/**
 * Hash of the empty stack, where {@link hashStack} starts. Not 0, because 0 with frame 0 hashes to 0 again and
 * recursion of frame 0 would collide.
 */
export const EMPTY_STACK_HASH = 0x2545f491;

/** Returns the hash of a stack from its caller's hash and its last frame. */
export function hashStack(parentHash: number, frame: number): number {
  const mixed = Math.imul(parentHash ^ frame, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/**
 * Interns stacks, as (parent, frame) pairs, to dense rows: open addressing over row numbers. The hash covers the whole
 * stack instead of the pair, so that a loop over frames can continue hashing while earlier lookups still wait for
 * memory: the walk is bound by cache misses, which overlap this way. Equality is decided by the pair.
 */
export class StackRows {
  length = 0;
  #chunks: Int32Array[] = [];
  /**
   * Pairs of row + 1 (0 is empty) and the row's hash. Comparing hashes first avoids reading rows, each of which would
   * be a cache miss.
   */
  #slots = new Int32Array(FIRST_SLOTS * 2);
  #mask = FIRST_SLOTS - 1;

  /** Returns the stack of the first `depth` frames of `leafFirst`; −1 if `depth` is 0. */
  internAll(leafFirst: Int32Array, depth: number): number {
    const chunks = this.#chunks;
    let slots = this.#slots;
    let mask = this.#mask;
    let hash = EMPTY_STACK_HASH;
    let parent = -1;
    for (let index = depth - 1; index >= 0; index--) {
      const frame = leafFirst[index]!;
      hash = hashStack(hash, frame);
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const row = slots[slot * 2]! - 1;
        if (row < 0) {
          slots[slot * 2] = this.length + 1;
          slots[slot * 2 + 1] = hash;
          parent = this.#add(parent, frame, hash);
          slots = this.#slots;
          mask = this.#mask;
          break;
        }
        if (slots[slot * 2 + 1] !== hash) continue;
        const chunk = chunks[row >>> CHUNK_BITS]!;
        const at = (row & CHUNK_MASK) * STRIDE;
        if (chunk[at] === parent && chunk[at + 1] === frame) {
          parent = row;
          break;
        }
      }
    }
    return parent;
  }

  /** `parent` is −1 at the root. `hash` is {@link hashStack} of the parent's hash and `frame`. */
  intern(parent: number, frame: number, hash: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = hash & mask;
    for (; slots[slot * 2] !== 0; slot = (slot + 1) & mask) {
      if (slots[slot * 2 + 1] !== hash) continue;
      const row = slots[slot * 2]! - 1;
      const chunk = this.#chunks[row >>> CHUNK_BITS]!;
      const at = (row & CHUNK_MASK) * STRIDE;
      if (chunk[at] === parent && chunk[at + 1] === frame) return row;
    }
    slots[slot * 2] = this.length + 1;
    slots[slot * 2 + 1] = hash;
    return this.#add(parent, frame, hash);
  }

  hashOf(row: number): number {
    if (row < 0) return EMPTY_STACK_HASH;
    return this.#chunks[row >>> CHUNK_BITS]![(row & CHUNK_MASK) * STRIDE + 2]!;
  }

  /** Returns the two columns. The table is empty afterwards. */
  finish(): { parent: Int32Array<ArrayBuffer>; frame: Int32Array<ArrayBuffer> } {
    const isLarge = this.length > CHUNK_ROWS;
    if (isLarge) release(this.#slots);
    this.#slots = new Int32Array(FIRST_SLOTS * 2);
    this.#mask = FIRST_SLOTS - 1;
    const parent = new Int32Array(this.length);
    const frame = new Int32Array(this.length);
    for (let first = 0; first < parent.length; first += CHUNK_ROWS) {
      const chunk = this.#chunks[first >>> CHUNK_BITS]!;
      const rows = Math.min(CHUNK_ROWS, parent.length - first);
      for (let row = 0; row < rows; row++) {
        parent[first + row] = chunk[row * STRIDE]!;
        frame[first + row] = chunk[row * STRIDE + 1]!;
      }
      if (isLarge) release(chunk);
    }
    this.#chunks = [];
    this.length = 0;
    return { parent, frame };
  }

  #add(parent: number, frame: number, hash: number): number {
    const row = this.#push(parent, frame, hash);
    if (row * 4 > this.#mask * 3) this.#grow();
    return row;
  }

  #push(parent: number, frame: number, hash: number): number {
    const row = this.length++;
    const at = (row & CHUNK_MASK) * STRIDE;
    if (at === 0) this.#chunks.push(new Int32Array(CHUNK_ROWS * STRIDE));
    const chunk = this.#chunks[row >>> CHUNK_BITS]!;
    chunk[at] = parent;
    chunk[at + 1] = frame;
    chunk[at + 2] = hash;
    return row;
  }

  #grow(): void {
    const size = (this.#mask + 1) * (this.#mask < MAX_QUICK_SLOTS - 1 ? 4 : 2);
    const mask = size - 1;
    const slots = new Int32Array(size * 2);
    const old = this.#slots;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      let slot = old[from + 1]! & mask;
      while (slots[slot * 2] !== 0) slot = (slot + 1) & mask;
      slots[slot * 2] = old[from]!;
      slots[slot * 2 + 1] = old[from + 1]!;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
