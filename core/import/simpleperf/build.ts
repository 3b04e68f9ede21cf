import type { EventIndex, FrameIndex, FunctionIndex, ThreadIndex } from '../../model/brand.ts';
import { malformed } from '../../model/failure.ts';
import { memo } from '../../model/memo.ts';
import type { Profile } from '../../model/profile.ts';
import { BYTES, VARINT, type WireReader } from '../../wire/protobuf-reader.ts';
import type { ImportSession } from '../importer.ts';
import { wholeSession } from '../text/byte-collector.ts';
import { SimpleperfRecords } from './records.ts';
import { simpleperfFunction, SimpleperfSamples } from './samples.ts';

const UNKNOWN_EVENT = '(unknown event)';
/** Execution types of call chain entries: native, Java code interpreted or compiled, the runtime's own. */
const EXECUTION_TYPES = 4;
const INTERPRETED = 1;
const JIT = 2;

interface Sample {
  time: bigint;
  tid: number;
  readonly leafFirst: FrameIndex[];
  count: bigint;
  eventType: number;
  isUnwindError: boolean;
}

/** Offsets are stored as 32-bit integers; simpleperf reads its own reports up to 64 MB. */
const MAX_BYTES = 2 ** 31 - 1;

export const simpleperfSession = (): ImportSession =>
  wholeSession('a simpleperf report', (bytes) => new SimpleperfBuild(new SimpleperfRecords(bytes)).build(), MAX_BYTES);

class SimpleperfBuild {
  readonly #records: SimpleperfRecords;
  readonly #samples = new SimpleperfSamples();
  /** By file, then by symbol and execution type. */
  readonly #functions = new Map<number, Map<number, FunctionIndex>>();
  readonly #thread = memo((tid: number): ThreadIndex => {
    const told = this.#records.threads.get(tid >>> 0);
    return this.#samples.builder.thread(told?.pid ?? -1, tid, told?.name ?? '');
  });
  readonly #events: readonly EventIndex[];

  constructor(records: SimpleperfRecords) {
    this.#records = records;
    this.#events = records.meta.eventTypes.map((name) => this.#samples.event(name));
  }

  build(): Profile {
    const { meta, sampleCount, lostCount, contextSwitches } = this.#records;
    this.#refuseHalf();
    const [reader, entry] = [this.#records.reader(), this.#records.reader()];
    for (let row = 0; row < sampleCount; row++) {
      this.#records.enterSample(reader, row);
      const byte = reader.offset;
      this.#add(this.#read(reader, entry), byte);
    }
    this.#samples.diagnose(lostCount, contextSwitches);
    this.#diagnose();
    return this.#samples.finish('simpleperf', [
      ...(meta.appPackage === '' ? [] : [`App: ${meta.appPackage}`]),
      ...(meta.androidVersion === '' ? [] : [`Android API level: ${meta.androidVersion}`]),
    ]);
  }

  /** Names and threads come last; a report without them is useless. */
  #refuseHalf(): void {
    const { bytes, isWhole, sampleCount, threads } = this.#records;
    if (!isWhole && threads.size === 0) {
      throw malformed('simpleperf: the report ends before its names and threads; copy it again', {
        byte: bytes.length,
      });
    }
    if (sampleCount === 0) {
      throw malformed('simpleperf: the report holds no samples; record again', {
        byte: bytes.length,
      });
    }
  }

  #read(reader: WireReader, entry: WireReader): Sample {
    const sample: Sample = { time: 0n, tid: -1, leafFirst: [], count: 0n, eventType: 0, isUnwindError: false };
    while (reader.next()) {
      const { field, type } = reader;
      if (field === 3 && type === BYTES) sample.leafFirst.push(this.#frame(entry.enter(reader.start, reader.stop)));
      else if (field === 6 && type === BYTES) sample.isUnwindError = true;
      else if (type !== VARINT) continue;
      else if (field === 1) sample.time = reader.unsigned;
      else if (field === 2) sample.tid = reader.low | 0;
      else if (field === 4) sample.count = reader.unsigned;
      else if (field === 5) sample.eventType = reader.low;
    }
    return sample;
  }

  #add({ time, tid, leafFirst, count, eventType, isUnwindError }: Sample, byte: number): void {
    if (isUnwindError) {
      this.#samples.builder.diagnostics.add('unwinding-errors', 'Stacks could not be unwound completely.', {
        first: { byte },
        remedy: 'Keep unwinding tables in the app’s libraries, or record with --call-graph fp.',
      });
    }
    const event = this.#events[eventType] ?? this.#samples.event(UNKNOWN_EVENT);
    this.#samples.add({ time, thread: this.#thread(tid), event, count, leafFirst, first: { byte } });
  }

  #frame(entry: WireReader): FrameIndex {
    let [addressLow, addressHigh, fileId, symbol, execution] = [0, 0, 0, -1, 0];
    while (entry.next()) {
      const { field, type, low, high } = entry;
      if (type !== VARINT) continue;
      if (field === 1) [addressLow, addressHigh] = [low, high];
      else if (field === 2) fileId = low;
      else if (field === 3) symbol = low | 0;
      else if (field === 4) execution = low;
    }
    return this.#samples.builder.frameAt(this.#function(fileId, symbol, execution), addressHigh, addressLow, false);
  }

  #function(fileId: number, symbol: number, execution: number): FunctionIndex {
    let functions = this.#functions.get(fileId);
    if (functions === undefined) this.#functions.set(fileId, (functions = new Map<number, FunctionIndex>()));
    const key = symbol * EXECUTION_TYPES + Math.min(execution, EXECUTION_TYPES - 1);
    const known = functions.get(key);
    if (known !== undefined) return known;
    const file = this.#records.files.get(fileId);
    const isJava = execution === INTERPRETED || execution === JIT;
    const made = simpleperfFunction(file?.path ?? '', file?.symbols[symbol] ?? '', isJava);
    const func = this.#samples.builder.function(made);
    functions.set(key, func);
    return func;
  }

  #diagnose(): void {
    const { diagnostics } = this.#samples.builder;
    const { unknownRecords, isWhole, bytes } = this.#records;
    if (unknownRecords > 0) {
      diagnostics.add('unknown-record', 'Records of unknown kinds were skipped.', { count: unknownRecords });
    }
    if (!isWhole) {
      diagnostics.add('truncated-input', 'The report lacks its end marker: names may be missing.', {
        first: { byte: bytes.length },
        remedy: 'Copy the whole file.',
      });
    }
  }
}
