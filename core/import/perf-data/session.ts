import { ProfileBuilder } from '../../model/profile-builder.ts';
import type { Profile } from '../../model/profile.ts';
import { ImportFailure, malformed } from '../../model/failure.ts';
import type { ImportSession } from '../importer.ts';
import { readAttr, type PerfDataAttr } from './attr.ts';
import { PerfBytes } from './bytes.ts';
import { RecordCutter } from './cutter.ts';
import { requestedSampling, PerfDataEvents, type PerfDataEvent } from './events.ts';
import { Feature, PerfDataFeatures } from './features.ts';
import { PerfDataFile, type PerfDataSink } from './file.ts';
import { Kallsyms } from '../../symbols/kallsyms.ts';
import { Mappings } from './mappings.ts';
import { KERNEL, PerfDataModules } from './modules.ts';
import { RoundQueue, type RecordHandler } from './order.ts';
import { FIRST_OF_PERF, RecordType } from './record-types.ts';
import { PerfDataRecords } from './records.ts';
import { RECORD_HEADER_BYTES } from './sample.ts';
import { PerfDataSamples } from './samples.ts';
import { KernelSpace, Threads } from './spaces.ts';
import { nameFrames } from './name-frames.ts';
import type { SymbolRequest, SymbolTable } from '../../symbols/symbols.ts';
import { diagnoseUnresolved } from '../stacks/unresolved-frames.ts';
import { UnwrapMeter } from '../unpack/unwrap-meter.ts';
import { ZstdStage } from '../unpack/zstd.ts';

const TWO_32 = 2 ** 32;
/** Both halves of the time of records without one. */
const NO_TIME = 0xffff_ffff;
/** Remedy if there was no source of symbols. */
const LOOK_UP_NAMES =
  'Let perf read it on the machine that recorded it (Read with perf), or run `flamebench convert FILE --to native -o FILE.flamebench` there, which resolves symbols, and open the result.';
/** Remedy if this machine's binaries differ. */
const LOOK_UP_THERE =
  'Or let perf read it on the machine that recorded it: `flamebench perf-script FILE --target ssh://HOST -o FILE.txt`.';
/** Kind of EVENT_UPDATE that states the event's name. */
const UPDATE_NAME = 2;
const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(RecordType));

/** Reads perf.data, the file of `perf record`, as a file or as a stream (`perf record -o -`). */
export class PerfDataSession implements ImportSession, PerfDataSink {
  readonly #builder = new ProfileBuilder(1);
  readonly #features = new PerfDataFeatures();
  readonly #events = new PerfDataEvents();
  readonly #modules = new PerfDataModules(this.#builder);
  readonly #threads = new Threads();
  readonly #kernel = new KernelSpace(this.#modules.row(KERNEL));
  readonly #samples = new PerfDataSamples(this.#builder, this.#modules, this.#threads, this.#kernel);
  readonly #file = new PerfDataFile(this, this.#features, this.#builder.diagnostics);
  readonly #records = new PerfDataRecords({
    diagnostics: this.#builder.diagnostics,
    events: this.#events,
    threads: this.#threads,
    mappings: new Mappings(this.#modules, this.#threads, this.#kernel),
    samples: this.#samples,
    clockAt: (time) => this.#origin() + BigInt(time),
  });
  readonly #queue = new RoundQueue((bytes, view, start, end, origin) => {
    this.#ordered.move(bytes, view, start, end, origin);
    this.#apply(this.#ordered);
  });
  /** The record that arrives from the file, and the one that the queue releases. */
  #arriving = new PerfBytes(new Uint8Array(0), true, 0);
  #ordered = this.#arriving;
  #littleEndian = true;
  #unpacker: PerfDataUnpacker | null = null;
  #unpacked: RecordCutter | null = null;
  /** Time 0 of the session on the recording's clock, in halves. */
  #originHigh = 0;
  #originLow = 0;
  #hasOrigin = false;
  #isComplete = false;

  push(chunk: Uint8Array): void {
    this.#file.push(chunk);
  }

  /** Returns the binaries that contain frames, once everything was pushed. */
  wantedSymbols(): SymbolRequest[] {
    this.#complete();
    return this.#modules.requests(this.#features);
  }

  finish(symbols?: ReadonlyMap<string, SymbolTable>): Profile {
    this.#complete();
    const features = this.#features;
    const names = this.#events.finishNames(features.events);
    const profile = this.#samples.finish(this.#events, names, this.#hasOrigin ? this.#origin() : null, {
      ...features.metadata(),
      ...requestedSampling(this.#events, names),
    });
    const tables = this.#withKallsyms(symbols);
    const named = nameFrames(profile, (func, address) => this.#modules.describe(func, address, features, tables));
    const remedy = symbols === undefined ? LOOK_UP_NAMES : undefined;
    return diagnoseUnresolved(withStartTime(named, features.clock), remedy, LOOK_UP_THERE);
  }

  begin(littleEndian: boolean): void {
    this.#littleEndian = littleEndian;
    this.#arriving = this.#bytes(new Uint8Array(0), 0);
    this.#ordered = this.#bytes(new Uint8Array(0), 0);
  }

  attr(attr: PerfDataAttr, ids: readonly bigint[]): void {
    this.#events.add(attr, ids);
  }

  readonly record: RecordHandler = (bytes, view, start, end, origin) => {
    const record = this.#arriving;
    record.move(bytes, view, start, end, origin);
    const type = record.u32(0);
    if (type >= FIRST_OF_PERF) return this.#applyOfPerf(record, type);
    const event = this.#events.of(record, type);
    const time = this.#timeOf(record, type, event);
    // If not all records end with a time, only the file's order is available.
    if (Number.isNaN(time) || event?.attr.sampleIdAll !== true) this.#apply(record);
    else this.#queue.add(time, bytes, start, end, origin);
  };

  readonly tracingData = (bytes: Uint8Array, origin: number): void => {
    this.#readFeature(Feature.tracingData, () => this.#bytes(bytes, origin));
  };

  #bytes(bytes: Uint8Array, origin: number): PerfBytes {
    return new PerfBytes(bytes, this.#littleEndian, origin);
  }

  /** Applies a record of the kernel. */
  #apply(record: PerfBytes): void {
    const type = record.u32(0);
    const event = this.#events.of(record, type);
    this.#records.apply(record, type, record.u16(4), event, this.#timeOf(record, type, event));
    if (!KNOWN_TYPES.has(type)) this.#noteUnknown(record);
  }

  /** Returns nanoseconds after the session's origin; NaN if there is no time, or perf's placeholder for it. */
  #timeOf(record: PerfBytes, type: number, event: PerfDataEvent | null): number {
    if (event === null) return Number.NaN;
    const { sampleTimeAt, trailerTimeAt } = event;
    const isSample = type === RecordType.sample;
    const at = isSample ? sampleTimeAt : record.length - trailerTimeAt;
    if ((isSample ? sampleTimeAt : trailerTimeAt) < 0 || at < RECORD_HEADER_BYTES) return Number.NaN;
    const high = record.high(at);
    const low = record.low(at);
    if ((high === 0 && low === 0) || (high === NO_TIME && low === NO_TIME)) return Number.NaN;
    if (!this.#hasOrigin) {
      this.#hasOrigin = true;
      this.#originHigh = high;
      this.#originLow = low;
    }
    return (high - this.#originHigh) * TWO_32 + (low - this.#originLow);
  }

  #origin(): bigint {
    return (BigInt(this.#originHigh) << 32n) + BigInt(this.#originLow);
  }

  /** Applies a record that perf itself wrote. */
  #applyOfPerf(record: PerfBytes, type: number): void {
    switch (type) {
      case RecordType.headerAttr:
        return this.#addAttr(record);
      case RecordType.eventUpdate:
        if (record.u64(8) === UPDATE_NAME) this.#nameEvent(record.big(16), record.text(24, record.length));
        return;
      case RecordType.headerBuildId:
        this.#features.readBuildId(record);
        return;
      case RecordType.headerFeature:
        return this.#readFeature(record.u64(8), () => record.slice(16, record.length));
      case RecordType.finishedRound:
        return this.#queue.endRound();
      case RecordType.compressed:
        return this.#unpack(record, RECORD_HEADER_BYTES, record.length);
      case RecordType.compressed2:
        return this.#unpack(record, RECORD_HEADER_BYTES + 8, RECORD_HEADER_BYTES + 8 + record.u64(RECORD_HEADER_BYTES));
      case RecordType.auxtrace:
        return this.#noteTrace(record);
      default:
        if (!KNOWN_TYPES.has(type)) this.#noteUnknown(record);
    }
  }

  #addAttr(record: PerfBytes): void {
    const attr = readAttr(record, RECORD_HEADER_BYTES);
    const ids = record.slice(RECORD_HEADER_BYTES + attr.size, record.length);
    this.#events.add(
      attr,
      Array.from({ length: ids.length >> 3 }, (_, index) => ids.big(index * 8)),
    );
  }

  #nameEvent(id: bigint, name: string): void {
    const { list } = this.#events;
    const event = list.length === 1 ? list[0]! : this.#events.byId(id);
    if (event !== null && name !== '') event.name = name;
  }

  #readFeature(feature: number, section: () => PerfBytes): void {
    this.#features.read(feature, section, this.#builder.diagnostics);
  }

  #unpack(record: PerfBytes, start: number, end: number): void {
    this.#unpacked ??= new RecordCutter(this.#littleEndian, this.record, this.tracingData);
    const cutter = this.#unpacked;
    this.#unpacker ??= new PerfDataUnpacker((bytes, origin) => cutter.push(bytes, () => origin));
    this.#unpacker.push(record.slice(start, end).bytes, record.origin);
  }

  /** Must be called once all records have arrived. */
  #complete(): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    this.#file.finish();
    this.#queue.finish();
    const { diagnostics } = this.#builder;
    if (this.#unpacked?.isWithinRecord === true)
      diagnostics.add('truncated-input', 'The file is truncated; the rest of its records is missing.');
    if (this.#queue.lateRecords > 0) {
      diagnostics.add(
        'late-records',
        'Records arrived after their round, possibly too late for the samples they describe.',
        {
          severity: 'info',
          count: this.#queue.lateRecords,
        },
      );
    }
    if (this.#events.list.length === 0) {
      throw malformed('perf.data: the file describes no event; record again', { byte: 16 });
    }
    if (this.#builder.sampleCount > 0) return;
    if (this.#file.endsEarly) {
      const byte = this.#file.length;
      throw malformed('perf.data: the file ends before its first sample; copy the file again', {
        byte,
      });
    }
    diagnostics.add('no-samples', 'The input has no samples.', {
      remedy: 'Check that the recorded process ran, and that the event works on this machine (flamebench doctor).',
    });
  }

  /** The kernel's symbols in the file are those of the recording, so they take precedence over any machine's. */
  #withKallsyms(symbols: ReadonlyMap<string, SymbolTable> = new Map()): ReadonlyMap<string, SymbolTable> {
    const { kallsyms } = this.#features;
    const table = kallsyms === null ? null : new Kallsyms(kallsyms).table('', 0);
    return table === null ? symbols : new Map([...symbols, [KERNEL, table]]);
  }

  #noteUnknown(record: PerfBytes): void {
    this.#builder.diagnostics.add('unknown-record', 'Records of an unknown kind were skipped.', {
      first: { byte: record.origin },
    });
  }

  #noteTrace(record: PerfBytes): void {
    this.#builder.diagnostics.add('hardware-trace', 'Hardware traces (Intel PT, CoreSight) are not decoded.', {
      first: { byte: record.origin },
      remedy: 'Run `perf script --itrace=i -i FILE > FILE.txt` on the machine that recorded, and open that.',
    });
  }
}

/** Sets the wall clock at time 0, if the recording states how its clock runs (`perf record -k`). */
function withStartTime(profile: Profile, clock: PerfDataFeatures['clock']): Profile {
  const { metadata } = profile;
  if (clock === null || metadata.timeOrigin === null) return profile;
  return { ...profile, metadata: { ...metadata, startTime: clock.wall + metadata.timeOrigin - clock.own } };
}

/**
 * Unpacks the output of `perf record -z`: one Zstandard stream split into records, each flushed by the writer so that
 * it unpacks immediately.
 */
class PerfDataUnpacker {
  readonly #meter = new UnwrapMeter();
  readonly #stage: ZstdStage;
  #origin = 0;

  /** `onBytes` receives the unpacked bytes in pieces, with the offset of the record that contained them. */
  constructor(onBytes: (bytes: Uint8Array, origin: number) => void) {
    const sink = { push: (bytes: Uint8Array) => onBytes(bytes, this.#origin), end: () => undefined };
    this.#stage = new ZstdStage(sink, this.#meter);
  }

  push(packed: Uint8Array, origin: number): void {
    this.#origin = origin;
    this.#meter.sourceBytes += packed.length;
    try {
      this.#stage.push(packed);
    } catch (error) {
      if (!(error instanceof ImportFailure) || !error.message.startsWith('the zstd data')) throw error;
      throw malformed('perf.data: a compressed record is damaged; record again, or copy the file again', {
        byte: origin,
      });
    }
  }
}
