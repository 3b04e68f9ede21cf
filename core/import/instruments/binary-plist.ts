import { decodeText } from '../../model/decode-text.ts';
import { memo } from '../../model/memo.ts';
import { malformed, type ImportFailure } from '../../model/failure.ts';

/**
 * An object of a binary property list; it refers to others by their rows. `null` also represents dates, which no
 * importer reads.
 */
export type PlistObject =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | { readonly kind: 'uid'; readonly uid: number }
  | { readonly kind: 'array'; readonly rows: readonly number[] }
  | { readonly kind: 'dict'; readonly keys: readonly number[]; readonly rows: readonly number[] };

const MAGIC = 'bplist00';
const TRAILER_BYTES = 32;

/**
 * Apple's binary property lists (CFBinaryPList.c), read object by object on request; references are not followed
 * automatically.
 */
export class BinaryPlist {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #referenceBytes: number;
  readonly #count: number;
  readonly #offsetBytes: number;
  readonly #table: number;
  readonly object = memo((row: number): PlistObject => this.#object(row));
  /**
   * Remaining budget for rows in arrays and dictionaries and for bytes of texts; a valid list has at most as many as
   * its bytes.
   */
  #left: number;
  /** → objects */
  readonly top: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#left = bytes.length;
    const trailer = bytes.length - TRAILER_BYTES;
    if (trailer < MAGIC.length || new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw broken();
    this.#offsetBytes = bytes[trailer + 6]!;
    this.#referenceBytes = bytes[trailer + 7]!;
    this.#count = this.#unsigned(trailer + 8, 8);
    this.top = this.#unsigned(trailer + 16, 8);
    this.#table = this.#unsigned(trailer + 24, 8);
    if (this.#table + this.#count * this.#offsetBytes > trailer) throw broken();
  }

  #object(row: number): PlistObject {
    if (row >= this.#count) throw broken();
    return this.#read(this.#unsigned(this.#table + row * this.#offsetBytes, this.#offsetBytes));
  }

  #read(at: number): PlistObject {
    const marker = this.#unsigned(at, 1);
    const low = marker & 0x0f;
    switch (marker >> 4) {
      case 0x0:
        return low === 8 ? false : low === 9 ? true : null;
      case 0x1:
        return this.#integer(at + 1, 2 ** low);
      case 0x2:
        return this.#real(at + 1, 2 ** low);
      case 0x4:
        return this.#slice(at, low, 1);
      case 0x5:
        return decodeText(this.#slice(at, low, 1)).text;
      case 0x6:
        return new TextDecoder('utf-16be').decode(this.#slice(at, low, 2));
      case 0x8:
        return { kind: 'uid', uid: this.#unsigned(at + 1, low + 1) };
      case 0xa:
      case 0xc:
        return { kind: 'array', rows: this.#rows(at, low, 1) };
      case 0xd: {
        const rows = this.#rows(at, low, 2);
        return { kind: 'dict', keys: rows.slice(0, rows.length / 2), rows: rows.slice(rows.length / 2) };
      }
      default:
        return null;
    }
  }

  #integer(at: number, size: number): bigint {
    if (size <= 4) return BigInt(this.#unsigned(at, size));
    if (size > 16 || at + size > this.#bytes.length) throw broken();
    // The first 8 of 16 bytes are zero: an unsigned 64-bit number.
    return size === 16 ? this.#view.getBigUint64(at + 8) : this.#view.getBigInt64(at);
  }

  #real(at: number, size: number): number {
    if (at + size > this.#bytes.length || (size !== 4 && size !== 8)) throw broken();
    return size === 4 ? this.#view.getFloat32(at) : this.#view.getFloat64(at);
  }

  #slice(at: number, low: number, unit: number): Uint8Array {
    const { start, count } = this.#length(at, low);
    if (start + count * unit > this.#bytes.length) throw broken();
    this.#take(count * unit);
    return this.#bytes.subarray(start, start + count * unit);
  }

  #rows(at: number, low: number, perItem: number): number[] {
    const { start, count } = this.#length(at, low);
    const rows = count * perItem;
    this.#take(rows);
    return Array.from({ length: rows }, (_, index) =>
      this.#unsigned(start + index * this.#referenceBytes, this.#referenceBytes),
    );
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw broken();
  }

  /** Lengths of 15 and more are stored as a separate integer. */
  #length(at: number, low: number): { readonly start: number; readonly count: number } {
    if (low < 15) return { start: at + 1, count: low };
    const size = 2 ** (this.#unsigned(at + 1, 1) & 0x0f);
    return { start: at + 2 + size, count: this.#unsigned(at + 2, size) };
  }

  #unsigned(at: number, size: number): number {
    if (size < 1 || size > 8 || at < 0 || at + size > this.#bytes.length) throw broken();
    let value = 0;
    for (let place = at; place < at + size; place++) value = value * 256 + this.#bytes[place]!;
    if (!Number.isSafeInteger(value)) throw broken();
    return value;
  }
}

const broken = (): ImportFailure => malformed('a property list in the archive is damaged');
