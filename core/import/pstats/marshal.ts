import { malformed, type ImportFailure } from '../../model/failure.ts';
import { decodeText } from '../../model/decode-text.ts';

/** A dictionary is its pairs in order; a tuple or list is an array. */
export type MarshalValue = null | boolean | number | string | readonly MarshalValue[] | MarshalDictionary;
export interface MarshalDictionary {
  readonly pairs: readonly (readonly [MarshalValue, MarshalValue])[];
}

/** A profile nests five deep. */
const MAX_DEPTH = 8;
const REFERENCE = 0x80;
/** Digits of a long integer have 15 bits; more of them exceed the range of numbers. */
const MAX_DIGITS = 4;

/** Reads values of Python's marshal, versions 2 to 5 (Python/marshal.c). Throws `ImportFailure` with the offset. */
export class MarshalReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #known: MarshalValue[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  read(depth = 0): MarshalValue {
    const at = this.#at;
    const code = this.#u8();
    if (depth > MAX_DEPTH) throw this.#malformed('values nest deeper than in a profile', at);
    // A value that others refer to has its row before those in it.
    const row = (code & REFERENCE) === 0 ? -1 : this.#known.push(null) - 1;
    const value = this.#value(String.fromCharCode(code & ~REFERENCE), depth, at);
    if (row >= 0) this.#known[row] = value;
    return value;
  }

  #value(type: string, depth: number, at: number): MarshalValue {
    switch (type) {
      case 'N':
        return null;
      case 'T':
      case 'F':
        return type === 'T';
      case 'i':
        return this.#view.getInt32(this.#take(4), true);
      case 'l':
        return this.#long(at);
      case 'g':
        return this.#view.getFloat64(this.#take(8), true);
      case 'f':
        return Number(this.#text(this.#u8()));
      case 'z':
      case 'Z':
        return this.#text(this.#u8());
      case 'a':
      case 'A':
      case 'u':
      case 't':
      case 's':
        return this.#text(this.#u32());
      case 'r':
        return this.#reference(at);
      case ')':
        return this.#list(this.#u8(), depth, at);
      case '(':
      case '[':
        return this.#list(this.#u32(), depth, at);
      case '{':
        return this.#dictionary(depth);
      default:
        throw this.#malformed('a value that no profile has', at);
    }
  }

  #list(length: number, depth: number, at: number): MarshalValue[] {
    if (length > this.#bytes.length - this.#at) throw this.#malformed('the data ends within a list', at);
    return Array.from({ length }, () => this.read(depth + 1));
  }

  #dictionary(depth: number): MarshalDictionary {
    const pairs: (readonly [MarshalValue, MarshalValue])[] = [];
    while (this.#bytes[this.#at] !== 0x30) pairs.push([this.read(depth + 1), this.read(depth + 1)]);
    this.#at += 1;
    return { pairs };
  }

  #reference(at: number): MarshalValue {
    const value = this.#known[this.#u32()];
    if (value === undefined) throw this.#malformed('a reference to no value', at);
    return value;
  }

  #long(at: number): number {
    const digits = this.#view.getInt32(this.#take(4), true);
    if (Math.abs(digits) > MAX_DIGITS) throw this.#malformed('a number beyond 2^60', at);
    let value = 0;
    for (let digit = 0; digit < Math.abs(digits); digit++) {
      value += this.#view.getUint16(this.#take(2), true) * 2 ** (15 * digit);
    }
    return digits < 0 ? -value : value;
  }

  #text(length: number): string {
    const start = this.#take(length);
    return decodeText(this.#bytes.subarray(start, start + length)).text;
  }

  #u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  #u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  /** Returns the offset of the next `length` bytes. */
  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) throw this.#malformed('the data ends within a value', at);
    this.#at += length;
    return at;
  }

  #malformed(what: string, byte: number): ImportFailure {
    return malformed(`pstats: ${what}; the file is damaged or truncated`, { byte });
  }
}
