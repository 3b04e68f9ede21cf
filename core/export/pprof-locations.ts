import { nameOfAddress } from '../symbols/perf-modules.ts';
import { FunctionKind, NO_ADDRESS, type Profile } from '../model/profile.ts';

/** A place in the code: a frame, and the ones inlined into it at the same address. */
export interface PprofLocation {
  /** Innermost first, → frames; empty if only the address is known. */
  readonly frames: readonly number[];
  /** 0: unknown. */
  readonly address: bigint;
  /** → strings; 0: none. */
  readonly module: number;
}

/** The locations of stacks, each once. A location's id is its index + 1. */
export class PprofLocations {
  readonly all: PprofLocation[] = [];
  readonly #profile: Profile;
  readonly #nameOf: (module: string, address: bigint) => string;
  readonly #known = new Map<string, number>();
  /** Ids by stack, leaf first; computed on first use. */
  readonly #ofStack: (readonly number[] | undefined)[] = [];

  /** `nameOf` returns the name that the format's readers give to an address without lines. */
  constructor(profile: Profile, nameOf: (module: string, address: bigint) => string = nameOfAddress) {
    this.#profile = profile;
    this.#nameOf = nameOf;
  }

  /** Ids, leaf first. */
  of(stack: number): readonly number[] {
    if (stack < 0) return [];
    return (this.#ofStack[stack] ??= this.#make(stack));
  }

  #make(stack: number): number[] {
    const { stacks, frames, functions } = this.#profile;
    const moduleOf = (row: number): number => functions.module[frames.func[stacks.frame[row]!]!]!;
    const ids: number[] = [];
    let group: number[] = [];
    for (let row = stack; row >= 0; row = stacks.parent[row]!) {
      const frame = stacks.frame[row]!;
      group.push(frame);
      const caller = stacks.parent[row]!;
      // A location has one module; a virtual machine also inlines functions of other modules.
      const continues = frames.inline[frame] === 1 && caller >= 0 && moduleOf(row) === moduleOf(caller);
      if (continues) continue;
      ids.push(this.#id(group));
      group = [];
    }
    return ids;
  }

  #id(group: readonly number[]): number {
    const key = group.join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.all.push(this.#location(group));
    this.#known.set(key, id);
    return id;
  }

  #location(group: readonly number[]): PprofLocation {
    const { frames, functions, strings } = this.#profile;
    const outermost = group.at(-1)!;
    const func = frames.func[outermost]!;
    const address = frames.address?.[outermost] ?? NO_ADDRESS;
    const hasAddress = address !== NO_ADDRESS && address !== 0n;
    // Tools name code without a line after its binary or its address; a function with such a name needs none.
    const hasLine = (frames.line?.[outermost] ?? 0) !== 0;
    const module = strings[functions.module[func]!]!;
    const isNamedSo = strings[functions.name[func]!] === this.#nameOf(module, address);
    const isUnresolved = functions.kind[func] === FunctionKind.unresolved;
    const isBare = group.length === 1 && hasAddress && !hasLine && isUnresolved && isNamedSo;
    return {
      frames: isBare ? [] : group,
      address: hasAddress ? address : 0n,
      module: functions.module[func]!,
    };
  }
}
