import { malformed, type ImportFailure } from '../../../model/failure.ts';

/** Numbers as bytes of seven bits, lowest first; the highest bit is set if more follow (LEB128, as in protobuf). */

/** Numbers below this are exact. */
const MOST = 2 ** 53;

/** Returns whole numbers from 0 to 2^53 − 1 as bytes. */
export function numbersToBytes(numbers: Float64Array): Uint8Array {
  let bytes = new Uint8Array(numbers.length * 2 + 8);
  let used = 0;
  for (const number of numbers) {
    if (used + 8 > bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(bytes.length * 2));
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[used++] = (rest % 128) | 128;
    bytes[used++] = rest;
  }
  return bytes.subarray(0, used);
}

/** Reads the output of {@link numbersToBytes}. Throws an ImportFailure if it is truncated or a number is too large. */
export class ByteNumbers {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    const first = this.#bytes[this.#at++];
    if (first === undefined) throw damaged('a column ends early');
    if (first < 128) return first;
    let number = first - 128;
    for (let scale = 128; ; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw damaged('a column ends early');
      number += (byte % 128) * scale;
      if (number >= MOST) throw damaged('a column has a number beyond 2^53');
      if (byte < 128) return number;
    }
  }
}

export const damaged = (what: string): ImportFailure => malformed(`the report's data is damaged: ${what}`);

/** Maps signed numbers to unsigned ones that are small near 0. */
export const folded = (signed: number): number => (signed < 0 ? -2 * signed - 1 : 2 * signed);
export const unfolded = (number: number): number => (number % 2 === 1 ? -(number + 1) / 2 : number / 2);
