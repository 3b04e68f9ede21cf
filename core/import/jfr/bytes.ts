import { malformed, type ImportFailure } from '../../model/failure.ts';
import { decodeText } from '../../model/decode-text.ts';

const TWO_32 = 2 ** 32;
/** Each byte but the last has seven bits, the last has eight. */
const MAX_VARINT_BYTES = 9;

/** Types of fields that contain their value directly. */
export const JFR_PRIMITIVES = [
  'boolean',
  'byte',
  'char',
  'short',
  'int',
  'long',
  'float',
  'double',
  'java.lang.String',
] as const;
export type JfrPrimitive = (typeof JFR_PRIMITIVES)[number];

/** First byte of a string. */
const StringEncoding = { none: 0, empty: 1, constant: 2, utf8: 3, chars: 4, latin1: 5 } as const;

/**
 * A cursor over a chunk of a flight recording: big-endian, integers as LEB128 of at most nine bytes. After reading an
 * integer, `low` and `high` hold its unsigned halves.
 */
export class JfrBytes {
  readonly bytes: Uint8Array;
  /** Offset of the chunk's first byte in the input. */
  readonly origin: number;
  readonly #view: DataView;
  at = 0;
  /** Nothing is read from here on. */
  end: number;
  low = 0;
  high = 0;
  /** Whether the string read last is a constant, whose key is in `low` and `high`. */
  isConstant = false;

  constructor(bytes: Uint8Array, origin: number) {
    this.bytes = bytes;
    this.origin = origin;
    this.end = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Continues with `bytes[start, end)`. */
  enter(start: number, end: number): void {
    this.at = start;
    this.end = Math.min(end, this.bytes.length);
  }

  byte(): number {
    if (this.at >= this.end) throw this.malformed('ends within a field');
    return this.bytes[this.at++]!;
  }

  /** Reads a signed 64-bit number, rounded to the nearest double. */
  long(): number {
    this.#varint();
    return (this.high | 0) * TWO_32 + this.low;
  }

  int(): number {
    this.#varint();
    return this.low | 0;
  }

  /** Reads the number of following items or bytes, each of which takes at least one byte. */
  count(): number {
    const start = this.at;
    this.#varint();
    if (this.high !== 0 || this.low > this.end - this.at) {
      this.at = start;
      throw this.malformed('announces more data than it has');
    }
    return this.low;
  }

  /** The 64-bit number read last, as a decimal. */
  get unsignedText(): string {
    return this.high === 0 ? String(this.low) : String((BigInt(this.high) << 32n) | BigInt(this.low));
  }

  /** The number read last, rounded to the nearest double. */
  get unsigned(): number {
    return this.high * TWO_32 + this.low;
  }

  /** Returns null if the string is absent, or is a constant. */
  string(): string | null {
    this.isConstant = false;
    switch (this.byte()) {
      case StringEncoding.none:
        return null;
      case StringEncoding.empty:
        return '';
      case StringEncoding.constant:
        this.long();
        this.isConstant = true;
        return null;
      case StringEncoding.utf8: {
        const length = this.count();
        return decodeText(this.#take(length)).text;
      }
      case StringEncoding.chars:
        return this.#chars(this.count());
      case StringEncoding.latin1: {
        const length = this.count();
        let text = '';
        for (const byte of this.#take(length)) text += String.fromCharCode(byte);
        return text;
      }
      default:
        this.at -= 1;
        throw this.malformed('holds a string of an unknown encoding');
    }
  }

  /** Reads the value of a number; returns 0 for anything else. */
  number(type: JfrPrimitive): number {
    switch (type) {
      case 'long':
        return this.long();
      case 'int':
        return this.int();
      case 'short':
      case 'char':
        this.#varint();
        return type === 'char' ? this.low & 0xffff : (this.low << 16) >> 16;
      case 'byte':
        return (this.byte() << 24) >> 24;
      case 'boolean':
        return this.byte() === 0 ? 0 : 1;
      case 'float':
        return this.#view.getFloat32(this.#forward(4));
      case 'double':
        return this.#view.getFloat64(this.#forward(8));
      case 'java.lang.String':
        this.#skipString();
        return 0;
    }
  }

  /** `at` is an offset in the chunk; default: the cursor. */
  malformed(what: string, at = this.at): ImportFailure {
    return malformed(`JFR: ${what}; the recording is damaged or truncated`, {
      byte: this.origin + at,
    });
  }

  #skipString(): void {
    const encoding = this.byte();
    if (encoding <= StringEncoding.empty) return;
    if (encoding === StringEncoding.constant) this.long();
    else if (encoding === StringEncoding.utf8 || encoding === StringEncoding.latin1) this.#forward(this.count());
    else {
      this.at -= 1;
      this.string();
    }
  }

  #chars(count: number): string {
    let text = '';
    for (let index = 0; index < count; index++) {
      this.#varint();
      text += String.fromCharCode(this.low & 0xffff);
    }
    return text;
  }

  #take(length: number): Uint8Array {
    const start = this.#forward(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Moves the cursor and returns its previous position. */
  #forward(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw this.malformed('ends within a field');
    this.at += length;
    return start;
  }

  #varint(): void {
    const { bytes, end } = this;
    let { at } = this;
    let low = 0;
    let high = 0;
    for (let index = 0; index < MAX_VARINT_BYTES; index++) {
      if (at >= end) throw this.malformed('ends within a number');
      const byte = bytes[at++]!;
      const bits = index === MAX_VARINT_BYTES - 1 ? byte : byte & 0x7f;
      if (index < 4) low |= bits << (7 * index);
      else if (index === 4) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (7 * index - 32);
      if (byte < 0x80) break;
    }
    this.at = at;
    this.low = low >>> 0;
    this.high = high >>> 0;
  }
}
