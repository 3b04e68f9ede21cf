/** Start of the hash that {@link NameTable.intern} wants; continue it by `hash = Math.imul(hash ^ byte, HASH_FACTOR)` (FNV-1a). */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_FACTOR = 0x01000193;

/**
 * Interns byte ranges to dense rows without making strings: open addressing over rows, the bytes of all names in one arena. The
 * caller hashes while it scans, so that each byte is touched once.
 */
export class NameTable {
  #arena = new Uint8Array(64 * 1024);
  #used = 0;
  /** Arena offset of row i; row i ends where row i + 1 starts. */
  #starts = new Float64Array(1024);
  #hashes = new Int32Array(1024);
  /** row + 1; 0 is empty. */
  #slots = new Int32Array(2048);
  #mask = 2047;
  #length = 0;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  get length(): number {
    return this.#length;
  }

  /** The row of `bytes[start, end)`, whose FNV-1a hash is `hash`. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mixed = hash ^ (hash >>> 15);
    let slot = mixed & this.#mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.#hashes[row] === hash && this.#equals(row, bytes, start, end)) return row;
      slot = (slot + 1) & this.#mask;
    }
    this.#slots[slot] = this.#length + 1;
    return this.#append(bytes, start, end, hash);
  }

  /** UTF-8; what isn't valid UTF-8 is read as Latin-1, so that distinct names stay distinct. */
  text(row: number): { readonly text: string; readonly latin1: boolean } {
    const bytes = this.#arena.subarray(this.#starts[row]!, this.#starts[row + 1]!);
    try {
      return { text: this.#decoder.decode(bytes), latin1: false };
    } catch {
      return { text: decodeLatin1(bytes), latin1: true };
    }
  }

  #equals(row: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[row]!;
    const length = end - start;
    if (this.#starts[row + 1]! - from !== length) return false;
    for (let at = 0; at < length; at++) if (this.#arena[from + at] !== bytes[start + at]) return false;
    return true;
  }

  #append(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const row = this.#length;
    const used = this.#used + end - start;
    if (used > this.#arena.length)
      this.#arena = grown(this.#arena, new Uint8Array(Math.max(used, this.#arena.length * 2)));
    this.#arena.set(bytes.subarray(start, end), this.#used);
    if (row + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts, new Float64Array(this.#starts.length * 2));
      this.#hashes = grown(this.#hashes, new Int32Array(this.#hashes.length * 2));
    }
    this.#used = used;
    this.#starts[row + 1] = used;
    this.#hashes[row] = hash;
    this.#length = row + 1;
    if (this.#length * 2 > this.#mask) this.#rehash();
    return row;
  }

  #rehash(): void {
    this.#mask = this.#mask * 2 + 1;
    this.#slots = new Int32Array(this.#mask + 1);
    for (let row = 0; row < this.#length; row++) {
      const hash = this.#hashes[row]!;
      let slot = (hash ^ (hash >>> 15)) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = row + 1;
    }
  }
}

function grown<A extends Uint8Array | Float64Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
