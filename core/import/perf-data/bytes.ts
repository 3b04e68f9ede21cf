import { malformed, type ImportFailure } from '../../model/failure.ts';
import { decodeText } from '../../model/decode-text.ts';

const TWO_32 = 2 ** 32;

/**
 * Fields of a perf.data file, in the byte order of the machine that recorded it. Reading beyond the end of `bytes`
 * throws with the offset in the file; `origin` is that of the first byte.
 */
export class PerfBytes {
  readonly littleEndian: boolean;
  length: number;
  origin: number;
  #whole: Uint8Array;
  /** View of `#whole`. */
  #view: DataView;
  #start = 0;

  constructor(bytes: Uint8Array, littleEndian: boolean, origin: number) {
    this.littleEndian = littleEndian;
    this.length = bytes.length;
    this.origin = origin;
    this.#whole = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves to other bytes: a part of `whole`, which `view` covers. Allows one object to be reused for all records. */
  move(whole: Uint8Array, view: DataView, start: number, end: number, origin: number): void {
    this.#whole = whole;
    this.#view = view;
    this.#start = start;
    this.length = end - start;
    this.origin = origin;
  }

  get bytes(): Uint8Array {
    return this.#whole.subarray(this.#start, this.#start + this.length);
  }

  slice(start: number, end: number): PerfBytes {
    if (start < 0 || end < start || end > this.length) throw this.ends(start);
    return new PerfBytes(this.bytes.subarray(start, end), this.littleEndian, this.origin + start);
  }

  u16(at: number): number {
    this.#need(at, 2);
    return this.#view.getUint16(this.#start + at, this.littleEndian);
  }

  u32(at: number): number {
    this.#need(at, 4);
    return this.#view.getUint32(this.#start + at, this.littleEndian);
  }

  i32(at: number): number {
    return this.u32(at) | 0;
  }

  /** Returns the upper half of a 64-bit field. */
  high(at: number): number {
    return this.u32(this.littleEndian ? at + 4 : at);
  }

  /** Returns the lower half of a 64-bit field. */
  low(at: number): number {
    return this.u32(this.littleEndian ? at : at + 4);
  }

  /** Returns a 64-bit field, rounded to the nearest number beyond 2^53. */
  u64(at: number): number {
    return this.high(at) * TWO_32 + this.low(at);
  }

  big(at: number): bigint {
    this.#need(at, 8);
    return this.#view.getBigUint64(this.#start + at, this.littleEndian);
  }

  /** Returns the text up to the first NUL byte, at most up to `end`. */
  text(start: number, end: number): string {
    if (start > end || end > this.length) throw this.ends(start);
    const text = this.bytes.subarray(start, end);
    const nul = text.indexOf(0);
    return decodeText(nul < 0 ? text : text.subarray(0, nul)).text;
  }

  /** Returns the failure for data that ends within a field at `at`. */
  ends(at: number): ImportFailure {
    return this.malformed('ends within a field', at);
  }

  malformed(what: string, at: number): ImportFailure {
    return malformed(`perf.data: ${what}; record again, or copy the file again`, {
      byte: this.origin + Math.max(0, at),
    });
  }

  #need(at: number, size: number): void {
    if (at < 0 || at + size > this.length) throw this.ends(at);
  }
}
