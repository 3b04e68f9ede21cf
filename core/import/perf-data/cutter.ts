import { malformed } from '../../model/failure.ts';
import type { RecordHandler } from './order.ts';
import { RecordType } from './record-types.ts';
import { RECORD_HEADER_BYTES } from './sample.ts';

/** `origin` is the data's offset in the file. */
export type OnData = (bytes: Uint8Array, origin: number) => void;

/** More than any kernel's list of tracepoints. */
const MAX_TRACING_DATA = 64 * 2 ** 20;

/**
 * Splits a stream of bytes into records of {type u32, misc u16, size u16}. Two kinds of record are followed by data
 * that their size does not include: hardware traces, which are skipped, and the descriptions of tracepoints.
 */
export class RecordCutter {
  readonly #littleEndian: boolean;
  readonly #onRecord: RecordHandler;
  readonly #onTracingData: OnData;
  #pending = new Uint8Array(0);
  /** Bytes still to come of the data after a record. */
  #skip = 0;
  /** The tracing data being collected. */
  #tracing: { bytes: Uint8Array; filled: number; origin: number } | null = null;

  constructor(littleEndian: boolean, onRecord: RecordHandler, onTracingData: OnData) {
    this.#littleEndian = littleEndian;
    this.#onRecord = onRecord;
    this.#onTracingData = onTracingData;
  }

  /** Whether the rest of a record, or of the data after one, has not arrived. */
  get isWithinRecord(): boolean {
    return this.#pending.length > 0 || this.#skip > 0;
  }

  /** Bytes of a record whose rest has not arrived. */
  get pendingBytes(): number {
    return this.#pending.length;
  }

  /** `originOf` returns the offset in the file of a byte of `chunk`. */
  push(chunk: Uint8Array, originOf: (at: number) => number): void {
    let bytes = chunk;
    const before = this.#pending.length;
    if (before > 0) {
      bytes = new Uint8Array(before + chunk.length);
      bytes.set(this.#pending);
      bytes.set(chunk, before);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    for (;;) {
      if (this.#skip > 0) at += this.#takeData(bytes.subarray(at));
      if (at + RECORD_HEADER_BYTES > bytes.length) break;
      const size = view.getUint16(at + 6, this.#littleEndian);
      const origin = originOf(at - before);
      if (size < RECORD_HEADER_BYTES) {
        throw malformed(`perf.data: a record of ${size} bytes; record again, or copy the file again`, { byte: origin });
      }
      if (at + size > bytes.length) break;
      this.#onRecord(bytes, view, at, at + size, origin);
      this.#expectData(view, at, size, origin);
      at += size;
    }
    this.#pending = bytes.slice(at);
  }

  #expectData(view: DataView, at: number, size: number, origin: number): void {
    const type = view.getUint32(at, this.#littleEndian);
    if (type === RecordType.auxtrace && size >= 16) {
      this.#skip = Number(view.getBigUint64(at + 8, this.#littleEndian));
    } else if (type === RecordType.headerTracingData && size >= 12) {
      this.#skip = view.getUint32(at + 8, this.#littleEndian);
      if (this.#skip > 0 && this.#skip <= MAX_TRACING_DATA)
        this.#tracing = { bytes: new Uint8Array(this.#skip), filled: 0, origin: origin + size };
    }
  }

  #takeData(bytes: Uint8Array): number {
    const part = bytes.subarray(0, this.#skip);
    this.#skip -= part.length;
    const tracing = this.#tracing;
    if (tracing === null) return part.length;
    tracing.bytes.set(part, tracing.filled);
    tracing.filled += part.length;
    if (this.#skip > 0) return part.length;
    this.#tracing = null;
    this.#onTracingData(tracing.bytes, tracing.origin);
    return part.length;
  }
}
