import { doubled } from '../model/intern/byte-table.ts';

const CHUNK_BYTES = 2 ** 20;
const SEMICOLON = 59;

/** Represents a sample without a stack in a thread without a name. */
export const NO_STACK_NAME = '(no stack)';

/**
 * Writes the lines of folded text. Consecutive lines mostly share their first frames, so a line begins as a copy of the
 * part that it shares with the previous line, within the output chunk.
 */
export class FoldedText {
  readonly #parent: Int32Array;
  readonly #name: Int32Array;
  readonly #write: (chunk: Uint8Array) => void;
  readonly #encoder = new TextEncoder();
  /** All names; name i is the bytes from `#nameStart[i]` to `#nameStart[i + 1]`. */
  readonly #nameBytes: Uint8Array;
  readonly #nameStart: Int32Array;

  #chunk = new Uint8Array(CHUNK_BYTES);
  #used = 0;
  /** Start of the current (or last) line in the chunk. */
  #lineStart = 0;
  /** Paths of the line, root first, and the length of the line up to each. */
  #paths = new Int32Array(1 << 8);
  #ends = new Int32Array(1 << 8);
  #depth = 0;
  #root = -1;
  /** Length of the root frame's text. */
  #rootEnd = 0;
  /** Paths of the next line that the last one does not share, leaf first. */
  #fresh = new Int32Array(1 << 8);

  /** `parent` and `name` are the table of paths; `names[name[path]]` is a path's last frame. */
  constructor(names: readonly string[], parent: Int32Array, name: Int32Array, write: (chunk: Uint8Array) => void) {
    this.#parent = parent;
    this.#name = name;
    this.#write = write;
    const encoded = names.map((text) => this.#encoder.encode(text));
    this.#nameStart = new Int32Array(names.length + 1);
    for (const [index, bytes] of encoded.entries()) this.#nameStart[index + 1] = this.#nameStart[index]! + bytes.length;
    this.#nameBytes = new Uint8Array(this.#nameStart[names.length]!);
    for (const [index, bytes] of encoded.entries()) this.#nameBytes.set(bytes, this.#nameStart[index]);
  }

  /** `root` is the name of the root frame, −1 for none. `path` is −1 for a sample without a stack. */
  line(root: number, path: number, weights: string): void {
    const freshCount = this.#findShared(root === this.#root ? this.#depth : 0, path);
    const sharedEnd = this.#depth > 0 ? this.#ends[this.#depth - 1]! : root === this.#root ? this.#rootEnd : 0;
    this.#startLine(sharedEnd);
    if (root !== this.#root) {
      this.#root = root;
      this.#rootEnd = 0;
      if (root >= 0) {
        this.#append(root, false);
        this.#rootEnd = this.#used - this.#lineStart;
      }
    }
    for (let index = freshCount - 1; index >= 0; index--) this.#descend(this.#fresh[index]!);
    if (root < 0 && path < 0) this.#putText(NO_STACK_NAME);
    this.#putText(` ${weights}\n`);
  }

  flush(): void {
    if (this.#used > 0) this.#write(this.#chunk.subarray(0, this.#used));
    this.#used = 0;
    this.#lineStart = 0;
    this.#depth = 0;
    this.#root = -1;
    this.#rootEnd = 0;
  }

  /**
   * Sets `#depth` to the number of paths that `path` shares with the first `depth` paths of the last line; returns the
   * number of paths of `#fresh` that it adds.
   */
  #findShared(depth: number, path: number): number {
    const parent = this.#parent;
    let freshCount = 0;
    let shared = depth;
    // A path's row is greater than its parent's, so walking up both finds the deepest shared one.
    for (let row = path; ; row = parent[row]!) {
      while (shared > 0 && this.#paths[shared - 1]! > row) shared -= 1;
      if (row < 0 || (shared > 0 && this.#paths[shared - 1] === row)) break;
      if (freshCount === this.#fresh.length) this.#fresh = doubled(this.#fresh);
      this.#fresh[freshCount++] = row;
    }
    this.#depth = shared;
    return freshCount;
  }

  /** Starts a line with the first `shared` bytes of the last one. */
  #startLine(shared: number): void {
    const last = this.#lineStart;
    if (this.#used + shared > this.#chunk.length) {
      this.#write(this.#chunk.subarray(0, this.#used));
      this.#used = 0;
    }
    this.#chunk.copyWithin(this.#used, last, last + shared);
    this.#lineStart = this.#used;
    this.#used += shared;
  }

  #descend(path: number): void {
    if (this.#depth === this.#paths.length) {
      this.#paths = doubled(this.#paths);
      this.#ends = doubled(this.#ends);
    }
    this.#append(this.#name[path]!, this.#depth > 0 || this.#root >= 0);
    this.#paths[this.#depth] = path;
    this.#ends[this.#depth] = this.#used - this.#lineStart;
    this.#depth += 1;
  }

  #append(name: number, separate: boolean): void {
    const start = this.#nameStart[name]!;
    const end = this.#nameStart[name + 1]!;
    this.#reserve(end - start + 1);
    const chunk = this.#chunk;
    const bytes = this.#nameBytes;
    let used = this.#used;
    if (separate) chunk[used++] = SEMICOLON;
    // Names are short: a call of set() costs more than this loop.
    for (let at = start; at < end; at++) chunk[used++] = bytes[at]!;
    this.#used = used;
  }

  #putText(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at++) this.#chunk[this.#used++] = text.charCodeAt(at);
  }

  /** Makes room for `bytes` more: writes the whole lines, and enlarges the chunk if one line fills it. */
  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#chunk.length) return;
    this.#write(this.#chunk.subarray(0, this.#lineStart));
    this.#chunk.copyWithin(0, this.#lineStart, this.#used);
    this.#used -= this.#lineStart;
    this.#lineStart = 0;
    if (this.#used + bytes <= this.#chunk.length) return;
    this.#chunk = new Uint8Array(this.#chunk.buffer.transfer(Math.max(this.#chunk.length * 2, this.#used + bytes)));
  }
}
