/** Protocol buffer wire types (https://protobuf.dev/programming-guides/encoding). */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

const encoder = new TextEncoder();

/**
 * One protocol buffer message, field by field. Numbers are written as int64, those beyond it as the largest or smallest;
 * zeros are omitted, as in proto3.
 */
export class WireMessage {
  #bytes = new Uint8Array(256);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Resets to an empty message. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  number(field: number, value: number | bigint): this {
    return value === 0 || value === 0n ? this : this.present(field, value);
  }

  /** Like {@link number}, but writes 0 as well: a field of a `oneof`. */
  present(field: number, value: number | bigint): this {
    this.#varint((field << 3) | VARINT);
    this.#int64(value);
    return this;
  }

  /** A `fixed64` or `double`, as its eight bytes in little-endian order. */
  fixed64(field: number, bytes: Uint8Array): this {
    this.#varint((field << 3) | FIXED64);
    return this.#add(bytes);
  }

  text(field: number, text: string): this {
    return this.message(field, encoder.encode(text));
  }

  message(field: number, bytes: Uint8Array): this {
    this.#varint((field << 3) | BYTES);
    this.#varint(bytes.length);
    return this.#add(bytes);
  }

  /** A repeated number; zeros are written. */
  packed(field: number, values: readonly (number | bigint)[], scratch: WireMessage): this {
    if (values.length === 0) return this;
    scratch.clear();
    for (const value of values) scratch.#int64(value);
    return this.message(field, scratch.bytes);
  }

  #add(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  #int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) this.#varint(value);
    else this.#bigVarint(BigInt.asUintN(64, typeof value === 'bigint' ? value : clampedToInt64(BigInt(value))));
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.bytes);
    this.#bytes = grown;
  }
}

const MAX_INT64 = 2n ** 63n - 1n;

const clampedToInt64 = (value: bigint): bigint => {
  if (value > MAX_INT64) return MAX_INT64;
  return value < -MAX_INT64 ? -MAX_INT64 - 1n : value;
};
