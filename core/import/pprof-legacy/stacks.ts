import type { FunctionKey } from '../../model/profile-builder.ts';
import type { Label } from '../../model/profile.ts';

/** The input's own information about the code at an address. `line` is the one that was executing, 0 if unknown. */
export interface LegacyName {
  readonly func: FunctionKey;
  readonly line: number;
}

export interface LegacyThread {
  /** −1 if unknown. */
  readonly tid: number;
  readonly name: string;
}

export interface LegacySample {
  /** Rows of {@link LegacyStacks.addresses}, leaf first. */
  locations: Int32Array;
  /** One for each sample type. */
  readonly values: readonly number[];
  labels?: Label[];
  readonly thread?: LegacyThread;
}

/** Samples of an older pprof format, and the addresses in them. */
export class LegacyStacks {
  /** Each address once. */
  readonly addresses: bigint[] = [];
  readonly samples: LegacySample[] = [];
  /** By row of `addresses`. */
  readonly names = new Map<number, LegacyName>();
  /** By row of `addresses`: functions inlined into the one in {@link names}, innermost first. */
  readonly inlined = new Map<number, readonly LegacyName[]>();
  /** Row by address. Exact numbers are keyed as numbers, which is faster. */
  readonly #rows = new Map<number | bigint, number>();

  /** Returns −1 if no sample has the address. */
  rowOf(address: bigint): number {
    return this.#rows.get(keyOf(address)) ?? -1;
  }

  row(address: bigint): number {
    const key = keyOf(address);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.addresses.push(address) - 1;
    this.#rows.set(key, row);
    return row;
  }

  /**
   * Returns the rows of a stack, leaf first. Return addresses are reduced by 1 to get addresses of the calls;
   * `isLeafExact` keeps the first one, which is where the thread was.
   */
  callers(addresses: readonly bigint[], isLeafExact: boolean): Int32Array {
    return Int32Array.from(addresses, (address, depth) =>
      this.row(isLeafExact && depth === 0 ? address : BigInt.asUintN(64, address - 1n)),
    );
  }

  /** Removes repeated leaves: signal handlers may record the leaf twice, once as a return address. Like pprof. */
  dropRepeatedLeaves(): void {
    for (const sample of this.samples) {
      const [leaf, caller] = sample.locations;
      if (leaf === undefined || caller === undefined) continue;
      if (this.addresses[leaf] === this.addresses[caller]! + 1n) sample.locations = withoutSecond(sample.locations);
    }
  }
}

function keyOf(address: bigint): number | bigint {
  const number = Number(address);
  return Number.isSafeInteger(number) ? number : address;
}

export function withoutSecond(locations: Int32Array): Int32Array {
  return Int32Array.from([locations[0]!, ...locations.subarray(2)]);
}
