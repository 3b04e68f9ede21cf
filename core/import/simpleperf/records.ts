import { int32Column } from '../../model/intern/column.ts';
import { unsupported } from '../../model/failure.ts';
import { decodeText } from '../../model/decode-text.ts';
import { BYTES, malformedMessage, VARINT, WireReader } from '../../wire/protobuf-reader.ts';

const MAGIC = 'SIMPLEPERF';
const VERSION = 1;
/** The magic, then the version in two bytes. */
const HEADER_BYTES = MAGIC.length + 2;
const FORMAT = 'simpleperf';

/** Fields of message Record. */
const RecordField = { sample: 1, lost: 2, file: 3, thread: 4, metaInfo: 5, contextSwitch: 6 } as const;

interface SimpleperfFile {
  readonly path: string;
  readonly symbols: readonly string[];
}

interface SimpleperfThread {
  readonly pid: number;
  readonly name: string;
}

/** What the report states about the recording; empty if unknown. */
interface SimpleperfMeta {
  readonly eventTypes: string[];
  appPackage: string;
  androidVersion: string;
}

/**
 * The records of a report, each preceded by its size; a size of zero ends it. Files and threads follow the samples that
 * refer to them, so samples are processed afterwards.
 */
export class SimpleperfRecords {
  readonly bytes: Uint8Array;
  readonly files = new Map<number, SimpleperfFile>();
  readonly threads = new Map<number, SimpleperfThread>();
  readonly meta: SimpleperfMeta = { eventTypes: [], appPackage: '', androidVersion: '' };
  lostCount = 0;
  contextSwitches = 0;
  unknownRecords = 0;
  /** The end mark is present. */
  isWhole = false;
  readonly #starts = int32Column();
  readonly #ends = int32Column();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER_BYTES) throw malformedMessage('the data ends within the header', bytes.length, FORMAT);
    const version = view.getUint16(MAGIC.length, true);
    if (version !== VERSION) {
      throw unsupported(`simpleperf: a report of version ${version}; write it again with the NDK's simpleperf`, {
        byte: MAGIC.length,
      });
    }
    this.#readRecords(view);
  }

  get sampleCount(): number {
    return this.#starts.length;
  }

  /** Moves the reader to a sample's message. */
  enterSample(reader: WireReader, row: number): WireReader {
    return reader.enter(this.#starts.get(row), this.#ends.get(row));
  }

  reader(): WireReader {
    return new WireReader(this.bytes, 0, 0, FORMAT);
  }

  #readRecords(view: DataView): void {
    const [record, inner] = [this.reader(), this.reader()];
    let at = HEADER_BYTES;
    while (at + 4 <= view.byteLength) {
      const size = view.getUint32(at, true);
      const start = at + 4;
      if (size === 0) {
        this.isWhole = true;
        return;
      }
      if (size > view.byteLength - start) return;
      record.enter(start, start + size);
      while (record.next()) this.#readRecord(record, inner);
      at = start + size;
    }
  }

  #readRecord(record: WireReader, inner: WireReader): void {
    if (record.type !== BYTES) {
      this.unknownRecords += 1;
      return;
    }
    inner.enter(record.start, record.stop);
    switch (record.field) {
      case RecordField.sample:
        this.#starts.push(record.start);
        this.#ends.push(record.stop);
        return;
      case RecordField.lost:
        while (inner.next()) if (inner.field === 2 && inner.type === VARINT) this.lostCount = Number(inner.unsigned);
        return;
      case RecordField.file:
        return this.#readFile(inner);
      case RecordField.thread:
        return this.#readThread(inner);
      case RecordField.metaInfo:
        return this.#readMeta(inner);
      case RecordField.contextSwitch:
        this.contextSwitches += 1;
        return;
      default:
        this.unknownRecords += 1;
    }
  }

  #readFile(reader: WireReader): void {
    let [id, path] = [0, ''];
    const symbols: string[] = [];
    while (reader.next()) {
      if (reader.field === 1 && reader.type === VARINT) id = reader.low;
      else if (reader.field === 2 && reader.type === BYTES) path = textOf(reader);
      else if (reader.field === 3 && reader.type === BYTES) symbols.push(textOf(reader));
    }
    this.files.set(id, { path, symbols });
  }

  #readThread(reader: WireReader): void {
    let [tid, pid, name] = [0, -1, ''];
    while (reader.next()) {
      if (reader.field === 1 && reader.type === VARINT) tid = reader.low;
      else if (reader.field === 2 && reader.type === VARINT) pid = reader.low | 0;
      else if (reader.field === 3 && reader.type === BYTES) name = textOf(reader);
    }
    this.threads.set(tid, { pid, name });
  }

  #readMeta(reader: WireReader): void {
    while (reader.next()) {
      if (reader.type !== BYTES) continue;
      if (reader.field === 1) this.meta.eventTypes.push(textOf(reader));
      else if (reader.field === 2) this.meta.appPackage = textOf(reader);
      else if (reader.field === 4) this.meta.androidVersion = textOf(reader);
    }
  }
}

const textOf = ({ bytes, start, stop }: WireReader): string => decodeText(bytes.subarray(start, stop)).text;
