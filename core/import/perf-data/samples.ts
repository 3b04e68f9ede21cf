import type { EventIndex, StackIndex, ThreadIndex } from '../../model/brand.ts';
import type { ProfileBuilder, SampleRow } from '../../model/profile-builder.ts';
import type { Profile, ProfileMetadata } from '../../model/profile.ts';
import { SampleField } from './attr.ts';
import type { PerfBytes } from './bytes.ts';
import { MAX_EVENTS, renameEvents, type PerfDataEvent, type PerfDataEvents } from './events.ts';
import { GUEST_KERNEL, NO_MODULE, type PerfDataModules } from './modules.ts';
import { CpuMode } from './record-types.ts';
import type { PerfDataSample } from './sample.ts';
import { addressOrder, type AddressSpace, type KernelSpace, type Threads } from './spaces.ts';
import { shiftTimes, startValueType, valueTypesOfEvents } from '../perf-script/events.ts';
import { INEXACT_WEIGHT } from '../common-diagnostics.ts';

/**
 * Call chain entries from here on (−4095 as an unsigned number) are markers of the following entries, not addresses.
 */
const MARK_HIGH = 0xffff_ffff;
const FIRST_MARK_LOW = 0xffff_f001;

/** Lower halves of the markers: enum perf_callchain_context. */
const MODE_OF_MARK = new Map<number, number>([
  [0xffff_ffe0, CpuMode.hypervisor],
  [0xffff_ff80, CpuMode.kernel],
  [0xffff_fe00, CpuMode.user],
  [0xffff_f800, CpuMode.guestUser],
  [0xffff_f780, CpuMode.guestKernel],
  [0xffff_f600, CpuMode.guestUser],
]);
/** PERF_CONTEXT_USER_DEFERRED: a cookie follows, and the user's part arrives in a later record. */
const DEFERRED_MARK_LOW = 0xffff_fd80;

/** Remedy if perf itself knows more. */
const LET_PERF_READ =
  'Let perf read it, preferably on the machine that recorded it: Read with perf in the window, or `flamebench perf-script FILE --target ssh://HOST -o FILE.txt`.';

interface ThreadRow {
  readonly pid: number;
  readonly comm: string;
  readonly index: ThreadIndex;
}

/** Converts samples into rows of the profile. */
export class PerfDataSamples {
  readonly #builder: ProfileBuilder;
  readonly #modules: PerfDataModules;
  readonly #threads: Threads;
  readonly #kernel: KernelSpace;
  readonly #threadRows = new Map<number, ThreadRow>();
  readonly #guestKernelModule: number;
  /** Values of group members at the previous sample, by id. */
  readonly #groupValues = new Map<bigint, bigint>();
  #frames = new Int32Array(1 << 8);
  #depth = 0;
  #firstTime = Infinity;
  #lastTime = -Infinity;

  constructor(builder: ProfileBuilder, modules: PerfDataModules, threads: Threads, kernel: KernelSpace) {
    this.#builder = builder;
    this.#modules = modules;
    this.#threads = threads;
    this.#kernel = kernel;
    this.#guestKernelModule = modules.row(GUEST_KERNEL);
  }

  /** `time` is in nanoseconds after the session's origin; NaN if the sample has none. `misc` is the record's. */
  add(
    sample: PerfDataSample,
    record: PerfBytes,
    misc: number,
    time: number,
    event: PerfDataEvent,
    events: PerfDataEvents,
  ): void {
    const hasTime = !Number.isNaN(time);
    if (hasTime && time < this.#firstTime) this.#firstTime = time;
    if (hasTime && time > this.#lastTime) this.#lastTime = time;
    const row = {
      stack: this.#stackOf(sample, record, misc & CpuMode.mask, event),
      thread: this.#thread(sample),
      event: event.row ?? undefined,
      time: hasTime ? time : undefined,
      cpu: sample.cpu,
    };
    if (sample.group.length === 0) return this.#addRow(row, event, this.#periodOf(sample, event, record));
    // The counts of each group member since the previous sample, as perf reports them.
    for (const { id, value } of sample.group) {
      const member = events.byId(id);
      const counted = value - (this.#groupValues.get(id) ?? 0n);
      this.#groupValues.set(id, value);
      if (member === null)
        this.#note(record, 'unknown-event', 'Values of events that the file does not describe were skipped.');
      else if (counted > 0n) this.#addCounted(row, member, Number(counted));
    }
  }

  #addCounted(row: SampleRow, member: PerfDataEvent, counted: number): void {
    member.hasPeriod = true;
    this.#addRow(row, member, counted);
  }

  /** `timeOrigin` is the recording clock's value at time 0; null if no sample has a time. */
  finish(
    events: PerfDataEvents,
    names: readonly string[],
    timeOrigin: bigint | null,
    metadata: Partial<ProfileMetadata>,
  ): Profile {
    const hasTimes = this.#firstTime !== Infinity && timeOrigin !== null;
    const span = this.#lastTime - this.#firstTime;
    const built = this.#builder.finish([{ type: 'samples', unit: 'samples' }], {
      ...metadata,
      ...this.#executable(),
      format: 'perf-data',
      timeOrigin: hasTimes ? timeOrigin + BigInt(this.#firstTime) : null,
      durationNs: span > 0 ? span : null,
    });
    if (hasTimes && built.samples.time !== null) shiftTimes(built.samples.time, -this.#firstTime);
    const { profile, events: all } = renameEvents(built, names, events.list);
    const valueTypes = valueTypesOfEvents(all);
    const weights = valueTypes.some(({ column }) => column >= 0) ? profile.samples.weights : [];
    const named = { ...profile, valueTypes, samples: { ...profile.samples, weights } };
    return { ...named, metadata: { ...profile.metadata, defaultValueType: startValueType(named) } };
  }

  /** Returns the program of the sampled processes, if all of them run the same one. */
  #executable(): Pick<ProfileMetadata, 'executable'> {
    const programs = new Set(Array.from(this.#threadRows, ([tid, { pid }]) => this.#threads.space(pid, tid).program));
    const [executable = '', ...others] = programs;
    return executable === '' || others.length > 0 ? {} : { executable };
  }

  #addRow(row: SampleRow, event: PerfDataEvent, period: number): void {
    event.row ??= this.#newEvent(event.index);
    if (period > Number.MAX_SAFE_INTEGER) this.#builder.diagnostics.add(...INEXACT_WEIGHT);
    this.#builder.sample(row.event === event.row ? row : { ...row, event: event.row }, period);
  }

  /** Events are named by their number until the end. */
  #newEvent(index: number): EventIndex {
    if (index >= MAX_EVENTS)
      this.#builder.diagnostics.add('many-events', `Events after the first ${MAX_EVENTS} are counted as one.`);
    return this.#builder.event(String(Math.min(index, MAX_EVENTS)));
  }

  /** Returns the stored period, otherwise the requested one; unknown if a rate was requested. */
  #periodOf(sample: PerfDataSample, event: PerfDataEvent, record: PerfBytes): number {
    if (sample.hasPeriod) {
      event.hasPeriod = true;
      return sample.period;
    }
    const { isRate, periodOrRate } = event.attr;
    if (!isRate && periodOrRate > 0) {
      event.hasPeriod = true;
      return periodOrRate;
    }
    if (event.hasPeriod) {
      this.#note(record, 'missing-period', 'Samples without a period among samples with one weigh 1.');
    }
    return 1;
  }

  #thread({ pid, tid }: PerfDataSample): ThreadIndex {
    const comm = this.#threads.comm(pid, tid);
    const known = this.#threadRows.get(tid);
    if (known !== undefined && known.pid === pid && known.comm === comm) return known.index;
    const index = this.#builder.thread(pid, tid, comm);
    this.#threadRows.set(tid, { pid, comm, index });
    return index;
  }

  #stackOf(sample: PerfDataSample, record: PerfBytes, mode: number, { attr }: PerfDataEvent): StackIndex {
    this.#depth = 0;
    if (sample.chainAt < 0) {
      if (sample.hasIp) this.#pushIp(sample, mode);
    } else {
      this.#pushChain(sample, record);
      const isUnwound = (attr.sampleType & SampleField.userStack) !== 0;
      if (isUnwound)
        this.#note(
          record,
          'user-stack-not-unwound',
          'Samples hold copies of the user stack (--call-graph dwarf), which only perf unwinds: their callers are missing.',
          LET_PERF_READ,
        );
      if (isUnwound && this.#depth === 0 && sample.hasIp) this.#pushIp(sample, mode);
      if (attr.hasBranchCallStack)
        this.#note(
          record,
          'branch-call-stack',
          'Samples hold callers in branch records (--call-graph lbr), which are not read: user callers may be missing.',
          LET_PERF_READ,
        );
    }
    return this.#builder.stackOf(this.#frames, this.#depth);
  }

  #pushChain(sample: PerfDataSample, record: PerfBytes): void {
    let mode: number = CpuMode.user;
    const space = this.#threads.space(sample.pid, sample.tid);
    const end = sample.chainAt + sample.chainLength * 8;
    for (let at = sample.chainAt; at < end; at += 8) {
      const high = record.high(at);
      const low = record.low(at);
      if (high !== MARK_HIGH || low < FIRST_MARK_LOW) {
        this.#pushFrame(high, low, mode, space);
        continue;
      }
      if (low === DEFERRED_MARK_LOW) {
        return this.#note(
          record,
          'deferred-callchain',
          'User call chains that the kernel recorded after their sample are not joined: user callers are missing.',
          LET_PERF_READ,
        );
      }
      const marked = MODE_OF_MARK.get(low);
      if (marked === undefined) {
        this.#depth = 0;
        const message = 'Call chains with an unknown marker were skipped, as perf does.';
        return this.#note(record, 'broken-callchain', message);
      }
      mode = marked;
    }
  }

  #pushIp({ ipHigh, ipLow, pid, tid }: PerfDataSample, mode: number): void {
    this.#pushFrame(ipHigh, ipLow, mode, this.#threads.space(pid, tid));
  }

  #pushFrame(high: number, low: number, mode: number, space: AddressSpace): void {
    if (this.#depth === this.#frames.length) {
      const longer = new Int32Array(this.#depth * 2);
      longer.set(this.#frames);
      this.#frames = longer;
    }
    this.#frames[this.#depth++] = this.#frameAt(high, low, mode, space);
  }

  #frameAt(high: number, low: number, mode: number, space: AddressSpace): number {
    if (mode === CpuMode.user) {
      const mapping = space.find(addressOrder(high, low));
      if (mapping === null) return this.#frameIn(NO_MODULE, high, low);
      const shifted = low + mapping.shiftLow;
      const carry = shifted > MARK_HIGH ? 1 : 0;
      return this.#frameIn(mapping.module, (high + mapping.shiftHigh + carry) | 0, shifted | 0);
    }
    if (mode === CpuMode.kernel) return this.#frameIn(Math.max(NO_MODULE, this.#kernel.moduleAt(high, low)), high, low);
    return this.#frameIn(mode === CpuMode.guestKernel ? this.#guestKernelModule : NO_MODULE, high, low);
  }

  #frameIn(module: number, high: number, low: number): number {
    return this.#builder.frameAt(this.#modules.functionOf(module), high, low, false);
  }

  #note(record: PerfBytes, code: string, message: string, remedy: string | null = null): void {
    this.#builder.diagnostics.add(code, message, { first: { byte: record.origin }, remedy });
  }
}
