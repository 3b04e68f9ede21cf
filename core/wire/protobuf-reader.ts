import { ImportFailure } from '../model/failure.ts';

/** Protocol buffer wire types (https://protobuf.dev/programming-guides/encoding). */
export const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;
const FIXED32 = 5;

/** A varint has at most ten bytes. */
const MAX_VARINT_BYTES = 10;

/**
 * Iterates over the fields of one protocol buffer message without allocating. After `next()` returns true, `field` and
 * `type` are set, and for varints and fixed numbers `low` and `high` (unsigned halves), for byte strings `start` and
 * `stop` (offsets into `bytes`). Throws `malformed` with the offset if the bytes are not a message.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  field = 0;
  type = 0;
  low = 0;
  high = 0;
  start = 0;
  stop = 0;
  readonly #format: string;
  #at: number;
  #end: number;

  /** `format` is the format name in failure messages. */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length, format = 'pprof') {
    this.bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#format = format;
  }

  /** Continues with the message in `bytes[start, end)`. */
  enter(start: number, end: number): this {
    this.#at = start;
    this.#end = end;
    return this;
  }

  /** Offset of the next unread byte. */
  get offset(): number {
    return this.#at;
  }

  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tagOffset = this.#at;
    this.varint();
    if (this.high !== 0 || this.low < 8) throw this.#malformed('no field has this number', tagOffset);
    this.field = this.low >>> 3;
    this.type = this.low & 7;
    if (this.type === VARINT) this.varint();
    else if (this.type === BYTES) this.#range();
    else if (this.type === FIXED64) this.#fixed(8);
    else if (this.type === FIXED32) this.#fixed(4);
    else throw this.#malformed(`wire type ${this.type}`, tagOffset);
    return true;
  }

  /** Reads a bare varint, which is an element of a packed field. Returns false at the end. */
  nextPacked(): boolean {
    if (this.#at >= this.#end) return false;
    this.varint();
    return true;
  }

  varint(): void {
    const { bytes } = this;
    const from = this.#at;
    let low = 0;
    let high = 0;
    for (let index = 0; ; index++) {
      if (from + index >= this.#end) throw this.#malformed('the data ends within a number', from);
      if (index >= MAX_VARINT_BYTES) throw this.#malformed('a number of more than ten bytes', from);
      const byte = bytes[from + index]!;
      const bits = byte & 0x7f;
      if (index < 4) {
        low |= bits << (7 * index);
      } else if (index === 4) {
        low |= bits << 28;
        high = bits >>> 4;
      } else {
        high |= bits << (7 * index - 32);
      }
      if (byte < 0x80) {
        this.#at = from + index + 1;
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
  }

  /** The number as uint64. */
  get unsigned(): bigint {
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** The number as int64, rounded to the nearest double. */
  get signed(): number {
    return (this.high | 0) * 2 ** 32 + this.low;
  }

  /** The number as int64, exactly. */
  get signedExact(): bigint {
    return BigInt.asIntN(64, this.unsigned);
  }

  #range(): void {
    const lengthOffset = this.#at;
    this.varint();
    if (this.high !== 0 || this.low > this.#end - this.#at) {
      throw this.#malformed('the data ends within a field', lengthOffset);
    }
    this.start = this.#at;
    this.stop = this.#at + this.low;
    this.#at = this.stop;
  }

  #fixed(size: 4 | 8): void {
    if (this.#at + size > this.#end) throw this.#malformed('the data ends within a number', this.#at);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.#at, size);
    this.low = view.getUint32(0, true);
    this.high = size === 8 ? view.getUint32(4, true) : 0;
    this.#at += size;
  }

  #malformed(what: string, byte: number): ImportFailure {
    return malformedMessage(what, byte, this.#format);
  }
}

export function malformedMessage(what: string, byte: number, format = 'pprof'): ImportFailure {
  return new ImportFailure('malformed', `${format}: ${what}; the file is damaged or truncated`, { byte });
}
