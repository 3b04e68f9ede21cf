import type { FrameIndex, StackIndex } from '../../model/brand.ts';
import { malformed, type ImportFailure } from '../../model/failure.ts';
import { memo } from '../../model/memo.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FrameBudget } from '../stacks/frame-budget.ts';
import { unresolvedFunction } from '../../symbols/perf-modules.ts';

/** Bytes before the positions of arrays in an `integeruniquer.index`. */
const INDEX_HEADER_BYTES = 32;
/** Stacks of macOS' kernel have at most 512 frames. */
const MAX_STEPS = 10_000;
const MIB = 2 ** 20;

/**
 * Stacks of a trace bundle: arrays of addresses, leaf first, in which small numbers refer to other arrays.
 * `arrayUniquer` contains the start of each array, in MiB and bytes, and the arrays, each preceded by its length.
 */
export class InstrumentsStacks {
  readonly #builder: ProfileBuilder;
  readonly #frames: Map<bigint, FrameIndex>;
  readonly #data: DataView;
  /** Positions of the arrays in `#data`. */
  readonly #places: readonly number[];
  /** Returns the stack of a sample's backtrace. */
  readonly stack = memo((backtrace: number): StackIndex => this.#builder.stackOf(this.#framesOf(backtrace)));
  readonly #budget: FrameBudget;

  /** `frames` is keyed by address; frames without a symbol are added. */
  constructor(builder: ProfileBuilder, frames: Map<bigint, FrameIndex>, index: Uint8Array, data: Uint8Array) {
    this.#builder = builder;
    this.#frames = frames;
    this.#data = viewOf(data);
    this.#places = placesOf(viewOf(index));
    this.#budget = new FrameBudget(index.length + data.length, 'export a shorter time');
  }

  #framesOf(backtrace: number): FrameIndex[] {
    const frames: FrameIndex[] = [];
    const waiting = [BigInt(backtrace)];
    for (let step = 0; waiting.length > 0; step++) {
      if (step > MAX_STEPS || waiting.length > MAX_STEPS) throw damaged('a backtrace does not end');
      const value = waiting.pop()!;
      const frame = this.#frames.get(value);
      this.#budget.take(1);
      if (frame !== undefined) frames.push(frame);
      else if (value < this.#places.length) waiting.push(...this.#array(Number(value)).toReversed());
      else frames.push(this.#unresolved(value));
    }
    return frames;
  }

  #array(row: number): bigint[] {
    const place = this.#places[row]!;
    if (place + 4 > this.#data.byteLength) throw damaged('an array lies outside its file');
    const length = this.#data.getUint32(place, true);
    if (length > MAX_STEPS || place + 4 + 8 * length > this.#data.byteLength) throw damaged('an array is too long');
    return Array.from({ length }, (_, index) => this.#data.getBigUint64(place + 4 + 8 * index, true));
  }

  #unresolved(address: bigint): FrameIndex {
    const frame = this.#builder.frame({ func: this.#builder.function(unresolvedFunction('')), address });
    this.#frames.set(address, frame);
    return frame;
  }
}

function placesOf(index: DataView): number[] {
  const places: number[] = [];
  for (let at = INDEX_HEADER_BYTES; at + 8 <= index.byteLength; at += 8) {
    const place = index.getUint32(at, true) + index.getUint32(at + 4, true) * MIB;
    if (place > 0) places.push(place);
  }
  return places;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const damaged = (what: string): ImportFailure => malformed(`the trace bundle is damaged: ${what}`);
