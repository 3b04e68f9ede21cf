import { DiagnosticCounter } from '../../model/diagnostics.ts';
import { malformed } from '../../model/failure.ts';
import { readAttr, SampleField, type PerfDataAttr } from './attr.ts';
import { PerfBytes } from './bytes.ts';
import { Feature, PerfDataFeatures } from './features.ts';
import { PerfDataFile, type PerfDataSink } from './file.ts';
import { RecordType } from './record-types.ts';
import { RECORD_HEADER_BYTES } from './sample.ts';

/** Facts about a perf.data file other than its samples: enough to determine how and where perf can read it. */
export interface PerfDataFacts {
  /** A stream (`perf record -o -`), which perf reads from its input. Otherwise perf seeks in it. */
  readonly isStream: boolean;
  /** Null if the samples are compressed. */
  readonly samples: number | null;
  /** Each sample has one. */
  readonly hasTimes: boolean;
  readonly hasCpus: boolean;
  /** Samples contain copies of the user stack (`--call-graph dwarf`). */
  readonly hasUserStacks: boolean;
  /** Number of binaries whose build id is recorded. */
  readonly buildIds: number;
  /** The machine that recorded, and its perf; null if the file does not state it. */
  readonly hostName: string | null;
  readonly arch: string | null;
  readonly perfVersion: string | null;
  /** The file ends before its records do. */
  readonly isCut: boolean;
  /** Bytes up to the end of a stream's last whole record; Infinity if unknown. */
  readonly wholeBytes: number;
}

/** Facts of a perf.data whose structure Flamebench does not read: very old ones. */
export const UNKNOWN_PERF_DATA: PerfDataFacts = {
  isStream: false,
  samples: null,
  hasTimes: false,
  hasCpus: false,
  hasUserStacks: false,
  buildIds: 0,
  hostName: null,
  arch: null,
  perfVersion: null,
  isCut: false,
  wholeBytes: Number.POSITIVE_INFINITY,
};

/**
 * Reads the facts as the bytes arrive, which must not be compressed as a whole. Throws an `ImportFailure` if it is not
 * perf.data.
 */
export class PerfDataFactsReader implements PerfDataSink {
  readonly #features = new PerfDataFeatures();
  /** Not shown: what can't be read only leaves its facts unknown. */
  readonly #diagnostics = new DiagnosticCounter();
  readonly #file = new PerfDataFile(this, this.#features, this.#diagnostics);
  readonly #attrs: PerfDataAttr[] = [];
  #samples = 0;
  #isCompressed = false;
  #arriving = new PerfBytes(new Uint8Array(0), true, 0);

  push(chunk: Uint8Array): void {
    this.#file.push(chunk);
  }

  finish(): PerfDataFacts {
    this.#file.finish();
    if (this.#attrs.length === 0) {
      throw malformed('perf.data: the file describes no event; record again', { byte: 16 });
    }
    const { hostName, buildIds } = this.#features;
    const { arch, toolVersion } = this.#features.metadata();
    const each = (field: number): boolean => this.#attrs.every(({ sampleType }) => (sampleType & field) !== 0);
    return {
      isStream: this.#file.isStream,
      samples: this.#isCompressed ? null : this.#samples,
      hasTimes: each(SampleField.time),
      hasCpus: each(SampleField.cpu),
      hasUserStacks: this.#attrs.some(({ sampleType }) => (sampleType & SampleField.userStack) !== 0),
      buildIds: buildIds.size,
      hostName,
      arch: arch ?? null,
      perfVersion: toolVersion ?? null,
      isCut: this.#file.endsEarly,
      wholeBytes: this.#file.wholeLength,
    };
  }

  begin(littleEndian: boolean): void {
    this.#arriving = new PerfBytes(new Uint8Array(0), littleEndian, 0);
  }

  attr(attr: PerfDataAttr): void {
    this.#attrs.push(attr);
  }

  readonly record: PerfDataSink['record'] = (bytes, view, start, end, origin) => {
    const record = this.#arriving;
    record.move(bytes, view, start, end, origin);
    switch (record.u32(0)) {
      case RecordType.sample:
        this.#samples += 1;
        break;
      case RecordType.compressed:
      case RecordType.compressed2:
        this.#isCompressed = true;
        break;
      case RecordType.headerAttr:
        this.#attrs.push(readAttr(record, RECORD_HEADER_BYTES));
        break;
      case RecordType.headerBuildId:
        this.#features.readBuildId(record);
        break;
      case RecordType.headerFeature:
        if (record.u64(8) === Feature.tracingData) break;
        this.#features.read(record.u64(8), () => record.slice(16, record.length), this.#diagnostics);
        break;
    }
  };

  readonly tracingData: PerfDataSink['tracingData'] = () => undefined;
}
