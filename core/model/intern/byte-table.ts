/** Spare bytes that must follow every range given to a {@link ByteTable}, because it reads ahead. */
export const BYTE_TABLE_PADDING = 8;

const NEWLINES = 0x0a0a0a0a;

const STRIDE = 4;
const SIZE = 1;
const HASH = 2;

/**
 * Interns byte strings to dense rows: open addressing over row numbers, with the bytes in one arena. Equality is
 * decided by the bytes, never by the hash. Row 0 is the empty string and is never returned for anything else.
 *
 * Bytes are read through a `DataView` over the caller's buffer, which needs no alignment. Words are little-endian on
 * every machine.
 */
export class ByteTable {
  length = 1;
  /** End of the last {@link findLine}: after its newline. */
  lineEnd = 0;
  /**
   * Hash of the bytes that the last {@link findLine} or {@link find} searched for; {@link add} stores new bytes under
   * it.
   */
  hash = 0;

  #words = new Int32Array(1 << 12);
  #floats = new Float64Array(this.#words.buffer);
  #wordCount = 0;
  /** Row i at 4i: index of its first word, size in bytes, hash. Adjacent because they are read together. */
  #rows = new Int32Array(1 << 10);
  /** Row; 0 is empty. */
  #slots = new Int32Array(512);
  #mask = 511;

  /**
   * Returns the end of `row`'s bytes at `at`, or −1 if other bytes are there. `limit` is the end of the readable range.
   */
  endIfAt(view: DataView, at: number, limit: number, row: number): number {
    const words = this.#words;
    const end = at + this.#rows[row * STRIDE + SIZE]!;
    if (end > limit) return -1;
    let word = this.#rows[row * STRIDE]!;
    let next = at;
    // Compares eight bytes at a time as one float. If floats differ or are 0 or NaN, the words decide.
    const floats = this.#floats;
    for (let float = word >>> 1; next <= end - 8; next += 8, word += 2) {
      const value = view.getFloat64(next, true);
      if (value === floats[float++] && value !== 0) continue;
      if (view.getInt32(next, true) !== words[word] || view.getInt32(next + 4, true) !== words[word + 1]) return -1;
    }
    for (; next <= end - 4; next += 4) {
      if (view.getInt32(next, true) !== words[word++]) return -1;
    }
    if (next === end) return end;
    return (view.getInt32(next, true) & lowBytes(end - next)) === words[word] ? end : -1;
  }

  /**
   * Returns the row of the line at `at` including its newline, or −1. Sets `lineEnd` and `hash`. The caller must make
   * sure that a newline follows. Hashes and finds the end in one pass.
   */
  findLine(view: DataView, at: number): number {
    let even = 0;
    let odd = 0;
    let next = at;
    for (;;) {
      const first = view.getInt32(next, true);
      const second = view.getInt32(next + 4, true);
      if ((newlinesIn(first) | newlinesIn(second)) !== 0) break;
      even = mix(even, first);
      odd = mix(odd, second);
      next += 8;
    }
    let word = view.getInt32(next, true);
    let newlines = newlinesIn(word);
    if (newlines === 0) {
      even = mix(even, word);
      next += 4;
      word = view.getInt32(next, true);
      newlines = newlinesIn(word);
      odd = mix(odd, word & upToFirst(newlines));
    } else even = mix(even, word & upToFirst(newlines));
    const end = next + (32 - Math.clz32(upToFirst(newlines))) / 8;
    this.lineEnd = end;
    return this.#lookUp(view, at, end, finishHash(even, odd));
  }

  /** Returns the row of the bytes [at, end), or −1. Sets `hash`. */
  find(view: DataView, at: number, end: number): number {
    let even = 0;
    let odd = 0;
    let next = at;
    for (; next <= end - 8; next += 8) {
      even = mix(even, view.getInt32(next, true));
      odd = mix(odd, view.getInt32(next + 4, true));
    }
    if (next <= end - 4) {
      even = mix(even, view.getInt32(next, true));
      next += 4;
      if (next < end) odd = mix(odd, view.getInt32(next, true) & lowBytes(end - next));
    } else if (next < end) even = mix(even, view.getInt32(next, true) & lowBytes(end - next));
    return this.#lookUp(view, at, end, finishHash(even, odd));
  }

  /** Adds the bytes [at, end), which the last `find` or `findLine` did not find. */
  add(view: DataView, at: number, end: number): number {
    const size = end - at;
    const wordCount = ((size + 7) >>> 3) * 2;
    const row = this.length++;
    if (row * STRIDE === this.#rows.length) this.#rows = doubled(this.#rows);
    if (this.#wordCount + wordCount > this.#words.length) this.#growWords(this.#wordCount + wordCount);
    this.#rows[row * STRIDE] = this.#wordCount;
    this.#rows[row * STRIDE + SIZE] = size;
    this.#rows[row * STRIDE + HASH] = this.hash;
    let word = this.#wordCount;
    let next = at;
    for (; next <= end - 4; next += 4) this.#words[word++] = view.getInt32(next, true);
    if (next < end) this.#words[word] = view.getInt32(next, true) & lowBytes(end - next);
    this.#wordCount += wordCount;
    this.#fileSlot(row);
    if (row * 2 > this.#mask) this.#growSlots();
    return row;
  }

  /** Returns the row of the bytes [at, end), adding them if they are new. */
  intern(view: DataView, at: number, end: number): number {
    const row = this.find(view, at, end);
    return row >= 0 ? row : this.add(view, at, end);
  }

  #lookUp(view: DataView, at: number, end: number, hash: number): number {
    this.hash = hash;
    let slot = hash & this.#mask;
    for (;;) {
      const row = this.#slots[slot]!;
      if (row === 0) return end === at ? 0 : -1;
      if (this.#rows[row * STRIDE + HASH] === hash && this.endIfAt(view, at, end, row) === end) return row;
      slot = (slot + 1) & this.#mask;
    }
  }

  #fileSlot(row: number): void {
    let slot = this.#rows[row * STRIDE + HASH]! & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = row;
  }

  #growSlots(): void {
    const size = (this.#mask + 1) * 2;
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
    for (let row = 1; row < this.length; row++) this.#fileSlot(row);
  }

  #growWords(needed: number): void {
    const grown = new Int32Array(Math.max(needed, (this.#words.length >>> 2) * 6));
    grown.set(this.#words.subarray(0, this.#wordCount));
    this.#words = grown;
    this.#floats = new Float64Array(grown.buffer);
  }
}

/** Returns an array of twice the length that begins with the same values. */
export function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2);
  grown.set(array);
  return grown;
}

function lowBytes(count: number): number {
  return count === 4 ? -1 : (1 << (count * 8)) - 1;
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Combines two halves that were mixed separately, so that they do not wait for each other. */
function finishHash(even: number, odd: number): number {
  const mixed = Math.imul(even ^ Math.imul(odd, 0x2c1b3c6d), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** Returns the top bit of each byte that is a newline; bits above the first one may be false positives. */
function newlinesIn(word: number): number {
  const differences = word ^ NEWLINES;
  return (differences - 0x01010101) & ~differences & 0x80808080;
}

/** Returns all bits up to the byte with the lowest top bit that is set. */
function upToFirst(topBits: number): number {
  return topBits ^ (topBits - 1);
}
