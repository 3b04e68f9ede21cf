import { int32Column, uint8Column } from './column.ts';
import type { FrameTable } from '../profile.ts';

/** Both halves of {@link NO_ADDRESS}. */
const NO_HALF = -1;

/**
 * Interns frames to dense rows: open addressing over row numbers, with addresses as two 32-bit halves, so that a frame
 * costs neither a bigint nor a string.
 */
export class FrameRows {
  readonly #func = int32Column();
  readonly #addressLow = int32Column();
  readonly #addressHigh = int32Column();
  readonly #line = int32Column();
  readonly #inline = uint8Column();
  #hasAddress = false;
  #hasLine = false;
  /** Row + 1; 0 is empty. */
  #slots = new Int32Array(1024);
  #mask = 1023;

  get length(): number {
    return this.#func.length;
  }

  /** Address halves may be signed or unsigned. `line` is 0 if unknown; `inline` is 0 or 1. */
  intern(func: number, high: number, low: number, line: number, inline: number): number {
    let slot = hashFrame(func, high, low, line, inline) & this.#mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.#equals(row, func, high | 0, low | 0, line, inline)) return row;
      slot = (slot + 1) & this.#mask;
    }
    const row = this.length;
    this.#slots[slot] = row + 1;
    this.#func.push(func);
    this.#addressHigh.push(high | 0);
    this.#addressLow.push(low | 0);
    this.#line.push(line);
    this.#inline.push(inline);
    this.#hasAddress ||= (high | 0) !== NO_HALF || (low | 0) !== NO_HALF;
    this.#hasLine ||= line !== 0;
    if (row * 2 > this.#mask) this.#grow();
    return row;
  }

  functionOf(row: number): number {
    return this.#func.get(row);
  }

  /** Returns `row` with a line; `inline` 1 marks it as inlined, 0 leaves the mark unchanged. */
  withLine(row: number, line: number, inline: number): number {
    const { high, low } = this.#address(row);
    return this.intern(this.#func.get(row), high, low, line, inline | this.#inline.get(row));
  }

  /** Returns the columns. The table is empty afterwards. */
  finish(): FrameTable {
    const { length } = this;
    this.#slots = new Int32Array(1024);
    this.#mask = 1023;
    return {
      length,
      address: this.#hasAddress ? this.#finishAddresses(length) : null,
      func: this.#func.finish(),
      line: this.#hasLine ? this.#line.finish() : null,
      inline: this.#inline.finish(),
    };
  }

  #finishAddresses(length: number): BigUint64Array {
    const addresses = new BigUint64Array(length);
    const bytes = new DataView(addresses.buffer);
    for (let row = 0; row < length; row++) {
      const { high, low } = this.#address(row);
      bytes.setInt32(row * 8 + (IS_LITTLE_ENDIAN ? 0 : 4), low, IS_LITTLE_ENDIAN);
      bytes.setInt32(row * 8 + (IS_LITTLE_ENDIAN ? 4 : 0), high, IS_LITTLE_ENDIAN);
    }
    return addresses;
  }

  #address(row: number): { high: number; low: number } {
    return { high: this.#addressHigh.get(row), low: this.#addressLow.get(row) };
  }

  #equals(row: number, func: number, high: number, low: number, line: number, inline: number): boolean {
    return (
      this.#func.get(row) === func &&
      this.#addressLow.get(row) === low &&
      this.#addressHigh.get(row) === high &&
      this.#line.get(row) === line &&
      this.#inline.get(row) === inline
    );
  }

  #grow(): void {
    this.#mask = this.#mask * 2 + 1;
    this.#slots = new Int32Array(this.#mask + 1);
    for (let row = 0; row < this.length; row++) {
      const { high, low } = this.#address(row);
      let slot = hashFrame(this.#func.get(row), high, low, this.#line.get(row), this.#inline.get(row)) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = row + 1;
    }
  }
}

const IS_LITTLE_ENDIAN = new Uint8Array(new Int32Array([1]).buffer)[0] === 1;

function hashFrame(func: number, high: number, low: number, line: number, inline: number): number {
  let hash = Math.imul(func, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b) ^ Math.imul(high, 0xc2b2ae35);
  hash ^= Math.imul(line * 2 + inline, 0x27d4eb2f);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
