import type { DiagnosticCounter, Occurrence } from '../../model/diagnostics.ts';
import type { PerfBytes } from './bytes.ts';
import type { PerfDataEvent, PerfDataEvents } from './events.ts';
import { LostRecords } from './lost-records.ts';
import type { Mappings } from './mappings.ts';
import { RecordType } from './record-types.ts';
import { PerfDataSample } from './sample.ts';
import type { PerfDataSamples } from './samples.ts';
import type { Threads } from './spaces.ts';

/** Flag in `misc` of COMM: the thread started a new program. */
const IS_EXEC = 1 << 13;
/** Flag in `misc` of FORK: perf synthesised it, and the mappings follow. */
const IS_MADE_UP = 1 << 13;
/** Flag of AUX: the buffer was full. */
const IS_TRUNCATED = 1;

/** The objects to which records are applied. */
interface RecordTargets {
  readonly diagnostics: DiagnosticCounter;
  readonly events: PerfDataEvents;
  readonly threads: Threads;
  readonly mappings: Mappings;
  readonly samples: PerfDataSamples;
  /** Converts a time of the session, in nanoseconds, to the recording's own clock. */
  clockAt(time: number): bigint;
}

/** Applies the kernel's records, in order of time, to threads, mappings and samples. */
export class PerfDataRecords {
  readonly #to: RecordTargets;
  readonly #sample = new PerfDataSample();
  readonly #lost = new LostRecords();

  constructor(targets: RecordTargets) {
    this.#to = targets;
  }

  /** Applies a record. `time` is in nanoseconds after the session's origin; NaN if it has none. */
  apply(record: PerfBytes, type: number, misc: number, event: PerfDataEvent | null, time: number): void {
    const { threads, mappings, diagnostics } = this.#to;
    switch (type) {
      case RecordType.sample:
        return this.#applySample(record, misc, event, time);
      case RecordType.mmap:
      case RecordType.mmap2:
        return mappings.add(record, type, misc);
      case RecordType.ksymbol:
        return mappings.addKernelSymbol(record);
      case RecordType.comm:
        return threads.setComm(record.i32(8), record.i32(12), record.text(16, record.length), (misc & IS_EXEC) !== 0);
      case RecordType.fork:
        return threads.fork(record.i32(8), record.i32(16), record.i32(12), record.i32(20), (misc & IS_MADE_UP) === 0);
      case RecordType.lost:
        return this.#noteLost(record, this.#lost.addLost(record.u64(16)), time, record.u64(16));
      case RecordType.lostSamples:
        return this.#noteLost(record, this.#lost.addLostSamples(record.u64(8), !Number.isNaN(time)), time);
      case RecordType.throttle:
        return this.#noteThrottled(record, time);
      case RecordType.aux:
        if ((record.low(24) & IS_TRUNCATED) !== 0) this.#noteTraceLost(record, time);
        return;
      case RecordType.callchainDeferred:
        diagnostics.add('other-record', 'Records that are not samples were skipped.', {
          severity: 'info',
          first: { byte: record.origin },
        });
    }
  }

  #applySample(record: PerfBytes, misc: number, event: PerfDataEvent | null, time: number): void {
    if (event === null) throw record.malformed('a sample comes before its event', 0);
    const { samples, events, diagnostics } = this.#to;
    this.#sample.read(record, event.attr);
    if (events.isUnknown(event)) {
      diagnostics.add('unknown-event', 'Samples of events that the file does not describe are counted separately.', {
        first: { byte: record.origin },
      });
    }
    samples.add(this.#sample, record, misc, time, event, events);
  }

  /** `there` is what the record itself says, `count` what of it was not reported before. */
  #noteLost(record: PerfBytes, count: number, time: number, there = count): void {
    if (there === 0) return;
    this.#to.diagnostics.add('lost-samples', 'perf lost samples because its buffer was full.', {
      count,
      first: { byte: record.origin },
      moments: this.#momentsOf(time, `lost ${there}`),
      remedy: 'Record at a lower rate, with frame pointers instead of DWARF, or with a larger buffer (perf record -m).',
    });
  }

  #noteThrottled(record: PerfBytes, time: number): void {
    this.#to.diagnostics.add('throttled', 'The kernel paused sampling because it took too much time.', {
      first: { byte: record.origin },
      moments: this.#momentsOf(time, 'sampling paused'),
      remedy: 'Record at a lower rate.',
    });
  }

  #noteTraceLost(record: PerfBytes, time: number): void {
    this.#to.diagnostics.add('lost-trace', 'perf lost parts of a hardware trace because its buffer was full.', {
      first: { byte: record.origin },
      moments: this.#momentsOf(time, 'trace cut'),
    });
  }

  #momentsOf(time: number, text: string): Occurrence[] {
    return Number.isNaN(time) ? [] : [{ clock: String(this.#to.clockAt(time)), text }];
  }
}
