import type { Message } from './message.ts';

const INTERNED = { eventNames: 2, functionNames: 5, frames: 6, callstacks: 7, mappingPaths: 17, mappings: 19 } as const;
const [IID, NAME] = [1, 2];
const BOOTTIME = 6n;
/** Clocks from here on belong to one sequence. */
const FIRST_OWN_CLOCK = 64n;

interface Clock {
  readonly isIncremental: boolean;
  readonly unit: bigint;
  /** Nanoseconds to add for boot time. */
  offset: bigint;
  /** In the clock's unit. */
  last: bigint;
}

/** Clocks that all sequences share: nanoseconds to add for boot time. */
export class SharedClocks {
  readonly #offsets = new Map<bigint, bigint>([[BOOTTIME, 0n]]);

  /** `clocks` are those of a snapshot, taken at the same time. Returns boot time, if it is one of them. */
  snapshot(clocks: readonly Message[]): bigint | undefined {
    const timeOf = (clock: Message): bigint => clock.number(2) ?? 0n;
    const boot = clocks.find((clock) => clock.number(1) === BOOTTIME);
    if (boot === undefined) return undefined;
    for (const clock of clocks) {
      const id = clock.number(1) ?? 0n;
      if (id < FIRST_OWN_CLOCK && !this.#offsets.has(id)) this.#offsets.set(id, timeOf(boot) - timeOf(clock));
    }
    return timeOf(boot);
  }

  toBoot(id: bigint, time: bigint): bigint {
    return time + (this.#offsets.get(id) ?? 0n);
  }
}

/** What a writer stated once and refers to by number: texts, frames, stacks, clocks, defaults. */
export class Sequence {
  readonly #tables = new Map<number, Map<bigint, Message>>();
  readonly #clocks = new Map<bigint, Clock>();
  /** Stacks of the profile by the number of the callstack. */
  readonly stacks = new Map<bigint, number>();
  defaultClock: bigint | undefined;
  defaultTrack: bigint | undefined;
  /** Older Chrome: the thread that writes the sequence. */
  thread: { readonly pid: number; readonly tid: number } | null = null;

  /** Forgets what was stated, except for the thread. */
  clear(): void {
    this.#tables.clear();
    this.stacks.clear();
    this.defaultClock = undefined;
    this.defaultTrack = undefined;
  }

  intern(data: Message): void {
    for (const field of Object.values(INTERNED)) {
      for (const entry of data.messages(field)) {
        const table = this.#tables.get(field) ?? new Map<bigint, Message>();
        this.#tables.set(field, table.set(entry.number(IID) ?? 0n, entry));
      }
    }
  }

  eventName(iid: bigint | undefined): string | undefined {
    return iid === undefined ? undefined : this.#entry('eventNames', iid)?.text(NAME);
  }

  /** Returns the frames of a callstack, root first; undefined if it was not stated. */
  callstack(iid: bigint): readonly bigint[] | undefined {
    return this.#entry('callstacks', iid)?.numbers(2);
  }

  frame(iid: bigint): {
    readonly name: string;
    readonly module: string;
    readonly address: bigint | null;
    readonly line: number;
  } {
    const frame = this.#entry('frames', iid);
    const paths = this.#entry('mappings', frame?.number(3) ?? 0n)?.numbers(7) ?? [];
    const module = paths.map((path) => this.#entry('mappingPaths', path)?.text(NAME) ?? '').join('/');
    return {
      name: this.#entry('functionNames', frame?.number(2) ?? 0n)?.text(NAME) ?? '',
      module: paths.length > 1 && !module.startsWith('/') ? `/${module}` : module,
      address: frame?.number(4) ?? null,
      line: frame?.int(6, 0) ?? 0,
    };
  }

  /** Takes the sequence's own clocks of a snapshot, whose boot time is given. */
  snapshot(clocks: readonly Message[], boot: bigint | undefined): void {
    for (const clock of clocks) {
      const id = clock.number(1) ?? 0n;
      if (id < FIRST_OWN_CLOCK) continue;
      const unit = clock.number(4) ?? 1n;
      const last = clock.number(2) ?? 0n;
      const offset = boot === undefined ? 0n : boot - last * unit;
      this.#clocks.set(id, { isIncremental: clock.number(3) === 1n, unit, last, offset });
    }
  }

  /** Returns boot time in nanoseconds of a packet's time. */
  time(time: bigint, clockId: bigint | undefined, shared: SharedClocks): bigint {
    const id = clockId ?? this.defaultClock ?? BOOTTIME;
    const own = this.#clocks.get(id);
    if (own === undefined) return shared.toBoot(id, time);
    own.last = own.isIncremental ? own.last + time : time;
    return own.last * own.unit + own.offset;
  }

  #entry(table: keyof typeof INTERNED, iid: bigint): Message | undefined {
    return this.#tables.get(INTERNED[table])?.get(iid);
  }
}
