import { tooLarge, type ImportFailure } from '../../model/failure.ts';

/** An address range to which a module is mapped. */
export interface Mapping {
  /** First address and end of the range, as signed 64-bit numbers: see {@link addressOrder}. */
  readonly start: number;
  readonly end: number;
  /** Added to an address to get its offset in the module; 0 if addresses are kept. */
  readonly shiftHigh: number;
  readonly shiftLow: number;
  /** Row of the session's modules. */
  readonly module: number;
}

const TWO_32 = 2 ** 32;

/**
 * Returns an address as a signed 64-bit number: exact below 2^53 and within 2^53 of the top, where user and kernel code
 * are; rounded to the nearest page elsewhere.
 */
export function addressOrder(high: number, low: number): number {
  return (high | 0) * TWO_32 + (low >>> 0);
}

/** Returns the first of ranges by address that ends after it; their number if all end before. */
export function firstEndingAfter(ranges: readonly { readonly end: number }[], address: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.end > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Maximum mappings of one address space: four times what Linux allows a process (vm.max_map_count). */
const MAX_MAPPINGS = 2 ** 18;
/** Maximum copied mappings of all spaces that processes inherited and then changed. */
const MAX_COPIED = 2 ** 25;

/** Counts the copied mappings. */
interface CopyMeter {
  copied: number;
}

/** Mappings of one process or kernel, by address, without overlaps. A copy shares them until one of the two changes. */
export class AddressSpace {
  /** Path of the first mapped code, which is the program's own; empty until then, or if there is none. */
  program = '';
  #mappings: Mapping[] = [];
  #last: Mapping | null = null;
  #isShared = false;
  readonly #meter: CopyMeter;

  constructor(meter: CopyMeter = { copied: 0 }) {
    this.#meter = meter;
  }

  /** Adds a mapping, which replaces the parts of earlier mappings that it overlaps. */
  map(mapping: Mapping): void {
    if (!(mapping.end > mapping.start)) return;
    this.#own();
    const from = firstEndingAfter(this.#mappings, mapping.start);
    let to = from;
    const kept: Mapping[] = [];
    for (; to < this.#mappings.length && this.#mappings[to]!.start < mapping.end; to++) {
      const old = this.#mappings[to]!;
      if (old.start < mapping.start) kept.push({ ...old, end: mapping.start });
      if (old.end > mapping.end) kept.push({ ...old, start: mapping.end });
    }
    const place = kept.filter(({ start }) => start < mapping.start).length;
    this.#mappings.splice(from, to - from, ...kept.slice(0, place), mapping, ...kept.slice(place));
    if (this.#mappings.length > MAX_MAPPINGS) throw tooMany('a process with', MAX_MAPPINGS);
    this.#last = null;
  }

  find(address: number): Mapping | null {
    const last = this.#last;
    if (last !== null && address >= last.start && address < last.end) return last;
    const found = this.#mappings[firstEndingAfter(this.#mappings, address)];
    if (found === undefined || address < found.start) return null;
    this.#last = found;
    return found;
  }

  copy(): AddressSpace {
    const copy = new AddressSpace(this.#meter);
    copy.#mappings = this.#mappings;
    copy.program = this.program;
    this.#isShared = true;
    copy.#isShared = true;
    return copy;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#meter.copied += this.#mappings.length;
    if (this.#meter.copied > MAX_COPIED) throw tooMany('processes that inherit', MAX_COPIED);
    this.#mappings = this.#mappings.slice();
    this.#isShared = false;
  }
}

const tooMany = (who: string, limit: number): ImportFailure =>
  tooLarge(
    `perf.data: ${who} more than ${limit.toLocaleString('en')} mappings; record fewer processes, or for a shorter time`,
  );

/** The kernel's core, overlaid by its modules and by code that it compiled. */
export class KernelSpace {
  readonly modules = new AddressSpace();
  readonly #core: number;
  /**
   * As unsigned numbers, to the nearest page: old kernels state that their core starts at 0 and extends to their
   * modules.
   */
  #start = 0;
  #end = Infinity;

  /** `core` is the module of addresses that no record covers. */
  constructor(core: number) {
    this.#core = core;
  }

  setCore(start: number, length: number): void {
    this.#start = start;
    this.#end = length === 0 ? Infinity : start + length;
  }

  /** Returns the row of the session's modules; −1 if the address is outside the kernel. Addresses are kept. */
  moduleAt(high: number, low: number): number {
    const mapping = this.modules.find(addressOrder(high, low));
    if (mapping !== null) return mapping.module;
    const address = high * TWO_32 + low;
    return address >= this.#start && address < this.#end ? this.#core : -1;
  }
}

interface Thread {
  pid: number;
  space: AddressSpace;
  comm: string | null;
}

/** The scheduler's idle thread of each processor, for which there is no record. */
const IDLE = 'swapper';

/**
 * Names and address spaces of the threads, as described by records. Threads of a process share its space; a new process
 * has a copy of its parent's. Source: tools/perf/util/machine.c and thread.c in the kernel.
 */
export class Threads {
  readonly #threads = new Map<number, Thread>();
  readonly #meter: CopyMeter = { copied: 0 };

  constructor() {
    this.#threads.set(0, { pid: 0, space: new AddressSpace(this.#meter), comm: IDLE });
  }

  /** `executes`: a new program starts, to which the mappings so far do not apply. */
  setComm(pid: number, tid: number, comm: string, executes: boolean): void {
    const thread = this.#thread(pid, tid);
    thread.comm = comm;
    if (executes) thread.space = new AddressSpace(this.#meter);
  }

  /** Returns a thread's name; like perf, a thread without a known name is named by its number. */
  comm(pid: number, tid: number): string {
    return this.#thread(pid, tid).comm ?? `:${tid}`;
  }

  space(pid: number, tid: number): AddressSpace {
    return this.#thread(pid, tid).space;
  }

  /** `copiesSpace` is false for records that perf synthesises for threads that ran before, whose mappings follow. */
  fork(pid: number, tid: number, parentPid: number, parentTid: number, copiesSpace: boolean): void {
    let parent = this.#thread(parentPid, parentTid);
    if (parent.pid !== parentPid) {
      this.#threads.delete(parentTid);
      parent = this.#thread(parentPid, parentTid);
    }
    this.#threads.delete(tid);
    const child = this.#thread(pid, tid);
    if (parent.comm !== null) child.comm = parent.comm;
    if (pid !== parentPid && copiesSpace) child.space = parent.space.copy();
  }

  #thread(pid: number, tid: number): Thread {
    const known = this.#threads.get(tid);
    if (known !== undefined) return this.#withProcess(known, pid, tid);
    const space = pid === tid || pid === -1 ? new AddressSpace(this.#meter) : this.#thread(pid, pid).space;
    const thread = { pid, space, comm: null };
    this.#threads.set(tid, thread);
    return thread;
  }

  /** The thread first occurred in a record that did not state its process. */
  #withProcess(thread: Thread, pid: number, tid: number): Thread {
    if (thread.pid !== -1 || pid === -1) return thread;
    thread.pid = pid;
    if (pid !== tid) thread.space = this.#thread(pid, pid).space;
    return thread;
  }
}
