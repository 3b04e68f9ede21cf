import type { FunctionKey } from '../../model/profile-builder.ts';
import type { Label } from '../../model/profile.ts';

/** What the input itself says of the code at an address. `line`: that was executing, 0 where unknown. */
export interface LegacyName {
  readonly func: FunctionKey;
  readonly line: number;
}

export interface LegacyThread {
  /** −1 where unknown. */
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
  /** Each once. */
  readonly addresses: bigint[] = [];
  readonly samples: LegacySample[] = [];
  /** By row of `addresses`. */
  readonly names = new Map<number, LegacyName>();
  /** By address; as a number where it is exact, which is found sooner. */
  readonly #rows = new Map<number | bigint, number>();

  /** −1 where no sample has the address. */
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
   * Rows of what a stack holds, leaf first: return addresses, which are made addresses of the calls by taking 1. `isLeafExact`: the first
   * is where the thread was, and stays.
   */
  callers(addresses: readonly bigint[], isLeafExact: boolean): Int32Array {
    return Int32Array.from(addresses, (address, depth) =>
      this.row(isLeafExact && depth === 0 ? address : BigInt.asUintN(64, address - 1n)),
    );
  }

  /** The leaf, which signal handlers may record twice, once as a return address. As pprof does. */
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
