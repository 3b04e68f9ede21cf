import { joinBytes } from '../../../model/join-bytes.ts';
import { inPieces, type Steps } from '../../../steps.ts';
import { ByteNumbers, damaged, folded, numbersToBytes, unfolded } from './bytes.ts';

/** Columns as differences from predictions: small bytes that repeat, which compress well. */

/** Codings of columns. The numbers are stored in files, so they are never reused. */
export const CODING = { asIs: 0, plain: 1, byRow: 2, byMaximum: 3, byFrame: 4, byFunction: 5, times: 6 } as const;

type Guess = (row: number, before: number, maximum: number) => number;

/** Predictions of the next number: `before` is the column's last one, `maximum` its largest so far. */
const GUESSES: ReadonlyMap<number, Guess> = new Map<number, Guess>([
  [CODING.plain, () => 0],
  // A stack's parent is mostly the row above.
  [CODING.byRow, (row) => row],
  // Rows are numbered as they are first needed.
  [CODING.byMaximum, (_row, _before, maximum) => maximum + 1],
  [CODING.times, (_row, before) => before],
]);

type Numbers = Int32Array | Float64Array;

const MOST_TIME = 2 ** 51;

/** Returns whether every time is a whole number whose differences are exact. */
export const areWhole = (times: Float64Array): boolean =>
  times.every((time) => Number.isInteger(time) && Math.abs(time) < MOST_TIME && !Object.is(time, -0));

export function codeNumbers(column: Numbers, coding: number): Uint8Array {
  const guess = GUESSES.get(coding)!;
  const out = new Float64Array(column.length);
  let before = 0;
  let maximum = -1;
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!;
    out[row] = folded(guess(row, before, maximum) - value);
    before = value;
    if (value > maximum) maximum = value;
  }
  return numbersToBytes(out);
}

export function* decodeNumbers(into: Numbers, coding: number, bytes: Uint8Array): Steps<void> {
  const guess = GUESSES.get(coding);
  if (guess === undefined) throw damaged(`a column has the unknown coding ${coding}`);
  const numbers = new ByteNumbers(bytes);
  let before = 0;
  let maximum = -1;
  yield* inPieces(into.length, (first, end) => {
    for (let row = first; row < end; row++) {
      into[row] = guess(row, before, maximum) - unfolded(numbers.next());
      before = into[row]!;
      if (before > maximum) maximum = before;
    }
  });
}

/** Number of callees remembered per frame; more save hardly anything. */
const MEMORY = 64;
/** Rows of stacks per piece, which takes about as long as a piece of other columns. */
const PIECE_STACKS = 8192;

/** The callees of each frame, latest first. */
class Called {
  readonly #of = new Map<number, number[]>();
  #maximum = -1;

  list(caller: number): number[] {
    let list = this.#of.get(caller);
    if (list === undefined) this.#of.set(caller, (list = []));
    return list;
  }

  /** Returns the callee at a place, and moves it to the front. */
  again(list: number[], place: number): number {
    const frame = list[place];
    if (frame === undefined) throw damaged('a stack has a frame that its caller never called');
    for (let at = place; at > 0; at--) list[at] = list[at - 1]!;
    list[0] = frame;
    return frame;
  }

  /** Predicts a frame that its caller calls for the first time: one that nothing has called yet. */
  get guess(): number {
    return this.#maximum + 1;
  }

  first(list: number[], frame: number): void {
    list.unshift(frame);
    if (list.length > MEMORY) list.pop();
    if (frame > this.#maximum) this.#maximum = frame;
  }
}

const NO_CALLER = -1;

/** Codes each stack's frame as its place among its caller's latest callees, from 1; 0 if it is new, with the frame. */
export function codeFrames(frames: Int32Array, parents: Int32Array): Uint8Array {
  const called = new Called();
  const places = new Float64Array(frames.length);
  const others: number[] = [];
  for (let row = 0; row < frames.length; row++) {
    const list = called.list(callerOf(frames, parents, row));
    const frame = frames[row]!;
    const place = list.indexOf(frame);
    places[row] = place + 1;
    if (place >= 0) {
      called.again(list, place);
      continue;
    }
    others.push(folded(called.guess - frame));
    called.first(list, frame);
  }
  const [first, second] = [numbersToBytes(places), numbersToBytes(Float64Array.from(others))];
  const head = new DataView(new ArrayBuffer(4));
  head.setUint32(0, first.length, true);
  return joinBytes([new Uint8Array(head.buffer), first, second]);
}

/** Decodes frames; `parents` must be decoded already. */
export function* decodeFrames(into: Int32Array, parents: Int32Array, bytes: Uint8Array): Steps<void> {
  if (bytes.length < 4 || parents.length !== into.length) throw damaged('the stacks');
  const second = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const places = new ByteNumbers(bytes.subarray(4, second));
  const others = new ByteNumbers(bytes.subarray(second));
  const called = new Called();
  const read = (first: number, end: number): void => {
    for (let row = first; row < end; row++) {
      const list = called.list(callerOf(into, parents, row));
      const place = places.next();
      if (place > 0) {
        into[row] = called.again(list, place - 1);
        continue;
      }
      into[row] = called.guess - unfolded(others.next());
      called.first(list, into[row]!);
    }
  };
  yield* inPieces(into.length, read, PIECE_STACKS);
}

function callerOf(frames: Int32Array, parents: Int32Array, row: number): number {
  const parent = parents[row]!;
  return parent < 0 || parent >= row ? NO_CALLER : frames[parent]!;
}

const ADDRESS_BYTES = 8;

/** Codes addresses as distances from the function's previous one; the lowest bytes of all come first. */
export function codeAddresses(addresses: BigUint64Array, functions: Int32Array): Uint8Array {
  const last = new Map<number, bigint>();
  const distances = new BigUint64Array(addresses.length);
  addresses.forEach((address, row) => {
    const func = functions[row]!;
    const distance = BigInt.asIntN(64, address - (last.get(func) ?? 0n));
    distances[row] = BigInt.asUintN(64, (distance << 1n) ^ (distance >> 63n));
    last.set(func, address);
  });
  const from = new Uint8Array(distances.buffer);
  const bytes = new Uint8Array(from.length);
  for (let at = 0; at < from.length; at++) {
    bytes[(at % ADDRESS_BYTES) * addresses.length + Math.floor(at / ADDRESS_BYTES)] = from[at]!;
  }
  return bytes;
}

/** Decodes addresses; `functions` must be decoded already. */
export function* decodeAddresses(into: BigUint64Array, functions: Int32Array, bytes: Uint8Array): Steps<void> {
  if (bytes.length !== into.byteLength || functions.length !== into.length) throw damaged('the addresses');
  const last = new Map<number, bigint>();
  const one = new DataView(new ArrayBuffer(ADDRESS_BYTES));
  const read = (first: number, end: number): void => {
    for (let row = first; row < end; row++) {
      for (let place = 0; place < ADDRESS_BYTES; place++) one.setUint8(place, bytes[place * into.length + row]!);
      const folded = one.getBigUint64(0, true);
      const func = functions[row]!;
      const distance = (folded >> 1n) ^ -(folded & 1n);
      into[row] = BigInt.asUintN(64, (last.get(func) ?? 0n) + distance);
      last.set(func, into[row]!);
    }
  };
  yield* inPieces(into.length, read, PIECE_STACKS);
}
